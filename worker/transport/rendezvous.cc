#include "worker/transport/rendezvous.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "worker/transport/link_spec.h"

namespace stagecoach {
namespace {

bool SameStage(const LinkSpec& a, const LinkSpec& b) {
  return a.job == b.job && a.lower == b.lower;
}

std::string Describe(StageIndex stage, const LinkSpec& spec) {
  return absl::StrCat("stage ", stage.value(), " of job ", spec.job.value(),
                      " (generation ", spec.generation.value(), ")");
}

}  // namespace

void PostDone(Executor& executor, LinkNetwork::Done done,
              absl::StatusOr<std::unique_ptr<Link>> result) {
  // Shared, because a std::function must be copyable.
  auto shared = std::make_shared<absl::StatusOr<std::unique_ptr<Link>>>(
      std::move(result));
  executor.Post([done = std::move(done), shared] { done(std::move(*shared)); });
}

void Rendezvous::Expect(End upper, absl::Duration timeout) {
  Add({std::move(upper), /*connects=*/false, timeout, ""});
}

void Rendezvous::Connect(End lower, absl::Duration timeout) {
  Add({std::move(lower), /*connects=*/true, timeout, ""});
}

void Rendezvous::Add(Waiting waiting) {
  const MutexLock lock(mutex_);
  if (absl::Status status = CheckNewLocked(waiting); !status.ok()) {
    PostDone(executor_, std::move(waiting.end.done), std::move(status));
    return;
  }
  const int64_t serial = next_serial_++;
  executor_.PostAfter(waiting.timeout, [weak = weak_from_this(), serial] {
    if (const auto self = weak.lock()) self->Expire(serial);
  });
  waiting_.emplace(serial, std::move(waiting));
  MatchLocked();
}

absl::Status Rendezvous::CheckNewLocked(const Waiting& waiting) const {
  const LinkSpec& spec = waiting.end.spec;
  SC_RETURN_IF_ERROR(Validate(spec));
  if (waiting.connects) return absl::OkStatus();
  for (const auto& [serial, other] : waiting_) {
    if (!other.connects && other.end.at == waiting.end.at &&
        SameStage(other.end.spec, spec) &&
        other.end.spec.generation == spec.generation) {
      return absl::AlreadyExistsError(absl::StrCat(
          Describe(spec.lower, spec), " is already expected here"));
    }
  }
  return absl::OkStatus();
}

void Rendezvous::MatchLocked() {
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    const auto current = next++;
    Waiting& waiting = current->second;
    if (!waiting.connects) continue;
    absl::StatusOr<End> upper = TakeLocked(waiting.end.at, waiting.end.spec);
    if (absl::IsNotFound(upper.status())) {
      waiting.trouble = std::string(upper.status().message());
      continue;
    }
    if (upper.ok()) {
      JoinLocked(waiting.end, *upper);
    } else {
      PostDone(executor_, std::move(waiting.end.done), upper.status());
    }
    // Taking the upper end may have invalidated `next`.
    next = waiting_.erase(current);
  }
}

absl::StatusOr<Rendezvous::End> Rendezvous::Take(const std::string& at,
                                                 const LinkSpec& offered) {
  const MutexLock lock(mutex_);
  return TakeLocked(at, offered);
}

absl::StatusOr<Rendezvous::End> Rendezvous::TakeLocked(
    const std::string& at, const LinkSpec& offered) {
  absl::Status refusal = absl::NotFoundError(
      absl::StrCat("no link from ", Describe(offered.lower, offered),
                   " is expected at ", at));
  for (auto& [serial, waiting] : waiting_) {
    const LinkSpec& expected = waiting.end.spec;
    if (waiting.connects || waiting.end.at != at) continue;
    if (!SameStage(expected, offered)) continue;
    const absl::Status verdict = CheckOffer(expected, offered);
    if (verdict.ok()) {
      End taken = std::move(waiting.end);
      waiting_.erase(serial);
      return taken;
    }
    waiting.trouble = std::string(verdict.message());
    refusal = verdict;
    if (expected.generation == offered.generation) break;
  }
  return refusal;
}

void Rendezvous::JoinLocked(const End& lower, const End& upper) {
  InProcessLink link = MakeInProcessLink(lower.spec, *lower.receiver,
                                         *upper.receiver, executor_, memory_);
  live_.erase(
      std::remove_if(live_.begin(), live_.end(),
                     [](const Live& live) { return live.link.expired(); }),
      live_.end());
  live_.push_back({lower.owner, upper.owner, link.between});
  // Both are told before either end can have sent anything.
  PostDone(executor_, lower.done, std::move(link.lower));
  PostDone(executor_, upper.done, std::move(link.upper));
}

void Rendezvous::Expire(int64_t serial) {
  const MutexLock lock(mutex_);
  const auto found = waiting_.find(serial);
  if (found == waiting_.end()) return;
  const Waiting& waiting = found->second;
  const LinkSpec& spec = waiting.end.spec;
  const std::string peer =
      waiting.connects
          ? absl::StrCat(Describe(StageIndex(spec.lower.value() + 1), spec),
                         " at ", waiting.end.at, " did not take the link")
          : absl::StrCat(Describe(spec.lower, spec), " did not connect");
  PostDone(executor_, waiting.end.done,
           absl::DeadlineExceededError(absl::StrCat(
               peer, " within ", absl::FormatDuration(waiting.timeout),
               waiting.trouble.empty() ? "" : "; last: ", waiting.trouble)));
  waiting_.erase(found);
}

void Rendezvous::Forget(const std::string& owner, const JobId& job,
                        Generation generation) {
  ForgetIf(
      [&](const End& end) {
        return end.owner == owner && end.spec.job == job &&
               end.spec.generation == generation;
      },
      absl::CancelledError("the link is not wanted any more"));
}

void Rendezvous::ForgetAll(const std::string& owner) {
  ForgetIf([&](const End& end) { return end.owner == owner; },
           absl::CancelledError("the worker stops"));
}

void Rendezvous::ForgetIf(const std::function<bool(const End&)>& matches,
                          const absl::Status& why) {
  const MutexLock lock(mutex_);
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    const auto current = next++;
    if (!matches(current->second.end)) continue;
    PostDone(executor_, std::move(current->second.end.done), why);
    waiting_.erase(current);
  }
}

void Rendezvous::Sever(const std::string& address, const absl::Status& why) {
  ForgetIf([&](const End& end) { return end.owner == address; }, why);
  const MutexLock lock(mutex_);
  for (const Live& live : live_) {
    if (live.lower != address && live.upper != address) continue;
    if (const auto link = live.link.lock()) link->Sever(why);
  }
}

}  // namespace stagecoach
