#pragma once

#include <cstdint>

namespace stagecoach {

// The heap of a process that passes large tensors around. The C library by
// default hands large blocks back to the system when they are freed and faults
// them in again, page by page, at the next use: for streams of tensors that is
// nine tenths of the time, for training a seventh.

// Keeps freed memory in the process, in one arena, so that a block freed by one
// thread serves the next. First thing in main, before any thread. Does nothing
// where the C library is not glibc.
void ConfigureAllocator();

// Makes the heap own `bytes` bytes that are already backed by memory, in huge
// pages where the system allows. For what a stage is about to need, once its
// size is known; costs about 0.1 s a GiB. Does nothing when memory is short.
void PrefaultHeap(int64_t bytes);

// Moves the heap, as large as it is now, to huge pages, where the system has
// them to give. For when a process has allocated all that it will use again and
// again; costs about 0.3 s a GiB the first time. Does nothing in a process that
// has not called ConfigureAllocator().
void BackHeapByHugePages();

// Gives what is free back to the system, for when a process has nothing to do.
void ReleaseHeap();

}  // namespace stagecoach
