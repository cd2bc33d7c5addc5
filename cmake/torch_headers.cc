// Empty on purpose: carries the precompiled header of LibTorch that
// cmake/StagecoachTorch.cmake shares among all targets that use tensors.
