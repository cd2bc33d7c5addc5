#include "core/grpc/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/base/status_macros.h"
#include "core/grpc/utf8.h"

namespace stagecoach {
namespace {

constexpr size_t kMostLevels = 64;

TextPlace PlaceOf(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {.line = mark.line + 1, .column = mark.column + 1};
}

TextPlace PlaceOf(absl::string_view text, size_t byte) {
  const absl::string_view before = text.substr(0, byte);
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = 1 + static_cast<int>(
                          std::count(before.begin(), before.end(), '\n')),
          .column = 1 + static_cast<int>(byte - line_start)};
}

// Whether the quoted scalar at this byte ends within the text. yaml-cpp takes
// the end of the file for the missing quote.
bool IsClosed(absl::string_view text, size_t start) {
  if (start >= text.size()) return true;
  const char quote = text[start];
  if (quote != '"' && quote != '\'') return true;  // a block
  for (size_t i = start + 1; i < text.size(); ++i) {
    const bool doubled = quote == '\'' && text.substr(i, 2) == "''";
    const bool escaped = quote == '"' && text[i] == '\\';
    if (doubled || escaped) {
      ++i;
    } else if (text[i] == quote) {
      return true;
    }
  }
  return false;
}

// Thrown through yaml-cpp, the only way to stop it; ParseYaml catches it.
struct Refusal {
  TextPlace place;
  std::string field;
  std::string message;
};

// Builds the tree from yaml-cpp's events. Thread-confined: the parsing call.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(absl::string_view text) : text_(text) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      throw Refusal{PlaceOf(mark), "",
                    "a second document starts here; one job a file"};
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Check(mark, "?", anchor);
    Add({.kind = YamlNode::Kind::kNull, .place = PlaceOf(mark)});
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refusal{PlaceOf(mark), Path(),
                  "aliases are not used in job files; repeat the value"};
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag,
                YAML::anchor_t anchor, const std::string& value) override {
    Check(mark, tag, anchor);
    if (tag == "!" && !IsClosed(text_, static_cast<size_t>(mark.pos))) {
      throw Refusal{PlaceOf(mark), Path(), "not YAML: the quote is not closed"};
    }
    Add({.kind = YamlNode::Kind::kScalar,
         .place = PlaceOf(mark),
         .text = value,
         .plain = tag == "?"});
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    Open(YamlNode::Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag,
                  YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    Open(YamlNode::Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override { Close(); }

  YamlNode TakeRoot() { return std::move(root_); }

 private:
  static bool AwaitsKey(const YamlNode& node) {
    return node.kind == YamlNode::Kind::kMap &&
           node.keys.size() == node.children.size();
  }

  void Check(const YAML::Mark& mark, const std::string& tag,
             YAML::anchor_t anchor) const {
    if (anchor != 0) {
      throw Refusal{PlaceOf(mark), Path(),
                    "anchors are not used in job files; leave it out"};
    }
    if (tag != "?" && tag != "!") {
      throw Refusal{PlaceOf(mark), Path(),
                    "tags are not used in job files; leave it out"};
    }
  }

  void Open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
            YAML::anchor_t anchor) {
    Check(mark, tag, anchor);
    if (open_.size() == kMostLevels) {
      throw Refusal{
          PlaceOf(mark), "",
          absl::StrCat("more than ", kMostLevels, " levels of lists and maps")};
    }
    if (!open_.empty() && AwaitsKey(open_.back())) RefuseKey(PlaceOf(mark));
    open_.push_back({.kind = kind, .place = PlaceOf(mark)});
  }

  void Close() {
    YamlNode node = std::move(open_.back());
    open_.pop_back();
    Add(std::move(node));
  }

  void Add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (AwaitsKey(open_.back())) {
      AddKey(std::move(node));
    } else {
      open_.back().children.push_back(std::move(node));
    }
  }

  void AddKey(YamlNode node) {
    if (node.kind != YamlNode::Kind::kScalar) RefuseKey(node.place);
    std::vector<YamlNode::Key>& keys = open_.back().keys;
    const auto same = std::find_if(
        keys.begin(), keys.end(),
        [&](const YamlNode::Key& key) { return key.name == node.text; });
    const int first = same == keys.end() ? 0 : same->place.line;
    keys.push_back({.name = std::move(node.text), .place = node.place});
    if (first == 0) return;
    throw Refusal{node.place, Path(),
                  absl::StrCat("is given twice, first in line ", first,
                               "; leave one out")};
  }

  [[noreturn]] void RefuseKey(const TextPlace& place) const {
    throw Refusal{place, Path(), "a name is expected in front of the colon"};
  }

  // Of the value that comes next.
  std::string Path() const {
    std::string path;
    for (const YamlNode& node : open_) {
      if (node.kind == YamlNode::Kind::kList) {
        absl::StrAppend(&path, "[", node.children.size(), "]");
      } else if (!node.keys.empty()) {
        absl::StrAppend(&path, path.empty() ? "" : ".", node.keys.back().name);
      }
    }
    return path;
  }

  const absl::string_view text_;
  int documents_ = 0;
  std::vector<YamlNode> open_;  // from the root to the innermost
  YamlNode root_;
};

absl::Status CheckText(absl::string_view text, absl::string_view file) {
  if (text.size() > static_cast<size_t>(kMostYamlBytes)) {
    return ErrorAt(file, {}, "",
                   absl::StrCat("has ", text.size(), " bytes; a job file has ",
                                "at most ", kMostYamlBytes));
  }
  if (const size_t valid = ValidUtf8Prefix(text); valid < text.size()) {
    return ErrorAt(file, PlaceOf(text, valid), "",
                   "not YAML: this byte is no text in UTF-8");
  }
  bool indents = true;
  for (size_t i = 0; i < text.size(); ++i) {
    if (indents && text[i] == '\t') {
      return ErrorAt(file, PlaceOf(text, i), "",
                     "a tab cannot indent a line; use spaces");
    }
    indents = text[i] == '\n' || (indents && text[i] == ' ');
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ErrorAt(absl::string_view file, const TextPlace& place,
                     absl::string_view field, absl::string_view message) {
  const std::string line =
      absl::StrCat(file, ":", place.line, ":", place.column, ": ", field,
                   field.empty() ? "" : ": ", message);
  return absl::InvalidArgumentError(
      absl::StrReplaceAll(line, {{"\n", " "}, {"\r", " "}}));
}

absl::StatusOr<YamlNode> ParseYaml(absl::string_view text,
                                   absl::string_view file) {
  SC_RETURN_IF_ERROR(CheckText(text, file));
  TreeBuilder builder(text);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refusal& refusal) {
    return ErrorAt(file, refusal.place, refusal.field, refusal.message);
  } catch (const YAML::Exception& exception) {
    return ErrorAt(file, PlaceOf(exception.mark), "",
                   absl::StrCat("not YAML: ", exception.msg));
  }
  return builder.TakeRoot();
}

}  // namespace stagecoach
