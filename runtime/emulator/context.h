// A stack switch: what makes a fiber.
#pragma once
#include <cstddef>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace emulate {

struct context {
#ifdef __x86_64__
  void* stack_pointer = nullptr;
#else
  ucontext_t machine;
#endif
};

// Makes `made` enter `entry`, which never returns, on the given stack at the next switch to it.
void prepare(context& made, char* stack, std::size_t bytes, void (*entry)());

// Saves where we are in `from` and goes on in `to`.
void switch_context(context& from, context& to);

}  // namespace emulate
