#include "worker/observers/observer_list.h"

namespace stagecoach {

void ObserverList::OnPassBegin(Pass pass, ItemId item) {
  for (PassObserver* observer : observers_) observer->OnPassBegin(pass, item);
}

void ObserverList::OnPassEnd(Pass pass, ItemId item) {
  for (PassObserver* observer : observers_) observer->OnPassEnd(pass, item);
}

void ObserverList::OnUpdate(const UpdateRecord& record) {
  for (PassObserver* observer : observers_) observer->OnUpdate(record);
}

void ObserverList::OnEvaluation(const Evaluation& evaluation) {
  for (PassObserver* observer : observers_) observer->OnEvaluation(evaluation);
}

void ObserverList::OnWait(WaitReason reason) {
  for (PassObserver* observer : observers_) observer->OnWait(reason);
}

}  // namespace stagecoach
