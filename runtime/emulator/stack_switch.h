// A switch from one stack to another, which is what fibers are made of.
#pragma once
#include <cstddef>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace emulate {

// Where a stack was left.
struct StackContext {
#ifdef __x86_64__
  void* stack_pointer = nullptr;
#else
  ucontext_t machine;
#endif
};

// The next switch to `made` calls `entry` on the given stack. `entry` must not return.
void prepareStack(StackContext& made, char* stack, std::size_t bytes, void (*entry)());

// Saves the running stack's state in `from` and continues in `to`.
void switchStack(StackContext& from, StackContext& to);

}  // namespace emulate
