#include "scheduler.h"

#include <algorithm>
#include <cstdlib>

#include "builtins.h"
#include "findings.h"

namespace emulate {

namespace {

// Whose threads run now, for fibers that start.
thread_local Scheduler* running = nullptr;

}  // namespace

void Scheduler::beginLaunch(void (*body)(void*), void* argument) {
  body_ = body;
  argument_ = argument;
  stacks_.reserve(context_.threads(), context_.launchOptions().stack_bytes);
  if (fibers_.size() < context_.threads()) fibers_.resize(context_.threads());
}

void Scheduler::beginBlock() {
  ended_ = 0;
  runnable_.clear();
  for (unsigned t = 0; t < context_.threads(); ++t) {
    Fiber& fiber = fibers_[t];
    fiber.stack = reinterpret_cast<std::uintptr_t>(stacks_.of(t));
    fiber.stack_bytes = stacks_.bytesOfEach();
    prepareStack(fiber.where, stacks_.of(t), fiber.stack_bytes, enterFiber);
    fiber.waits_in = nullptr;
    fiber.waits_for = nullptr;
    fiber.ended = false;
    fiber.calls.clear();
    runnable_.insert(t);
  }
  // The thread before the first one that order::in_order chooses.
  const bool ascending = context_.launchOptions().order == order::in_order;
  const unsigned before_first = ascending ? context_.threads() - 1 : 0;
  context_.setRunning(before_first, fibers_[before_first]);
}

void Scheduler::runThreads() {
  running = this;
  setThread(choose());
  switchStack(context_.host(), context_.fiber().where);
}

void Scheduler::endBlock() {
  if (!allEnded()) reportDeadlock();
}

void Scheduler::enterFiber() {
  Scheduler& scheduler = *running;
  MachineContext& context = scheduler.context_;
  context.setInKernel(true);
  scheduler.body_(scheduler.argument_);
  context.setInKernel(false);
  context.fiber().ended = true;
  ++scheduler.ended_;
  scheduler.runnable_.erase(context.thread());
  scheduler.switchToNext();
  std::abort();  // a fiber that has ended is not resumed
}

void Scheduler::suspend(const char* waits_in, Site waits_at, const Waitable* waits_for) {
  Fiber& fiber = context_.fiber();
  fiber.waits_in = waits_in;
  fiber.waits_at = waits_at;
  fiber.waits_for = waits_for;
  runnable_.erase(context_.thread());
  switchToNext();
}

void Scheduler::resumeAll() {
  for (unsigned t = 0; t < context_.threads(); ++t) resume(t);
}

void Scheduler::switchToNext() {
  StackContext& from = context_.fiber().where;
  const unsigned next = choose();
  if (next == context_.thread()) return;
  if (next == MAX_THREADS) {
    switchStack(from, context_.host());
    return;
  }
  setThread(next);
  switchStack(from, fibers_[next].where);
}

void Scheduler::setThread(unsigned thread) {
  context_.setRunning(thread, fibers_[thread]);
  if (block_size.y == 1 && block_size.z == 1) {
    thread_index = {thread, 0, 0};
  } else {
    thread_index = {thread % block_size.x, thread / block_size.x % block_size.y,
                    thread / block_size.x / block_size.y};
  }
}

unsigned Scheduler::choose() {
  switch (context_.launchOptions().order) {
    case order::in_order:
      return runnable_.firstFrom(context_.thread() + 1);
    case order::reverse:
      return runnable_.lastBelow(context_.thread());
    case order::random:
      return runnable_.firstFrom(unsigned(context_.random()() % context_.threads()));
    case order::warp_last:
      return runnable_.lastBelow(MAX_THREADS);
  }
  return MAX_THREADS;
}

// ---- deadlocks

std::string ranges(const std::vector<unsigned>& threads) {
  std::string text = threads.size() == 1 ? "thread " : "threads ";
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1] == threads[last] + 1) ++last;
    if (i > 0) text += ", ";
    text += std::to_string(threads[i]);
    if (last > i) text += "-" + std::to_string(threads[last]);
    i = last + 1;
  }
  return text;
}

void Scheduler::reportDeadlock() {
  struct Wait {
    const char* in;
    Site at;
    const Waitable* waits_for;
    std::vector<unsigned> threads;
  };
  std::vector<Wait> waits;
  std::vector<unsigned> ended;
  for (unsigned t = 0; t < context_.threads(); ++t) {
    const Fiber& fiber = fibers_[t];
    if (fiber.ended) {
      ended.push_back(t);
      continue;
    }
    auto same = std::find_if(waits.begin(), waits.end(), [&](const Wait& wait) {
      return wait.in == fiber.waits_in && wait.at == fiber.waits_at &&
             wait.waits_for == fiber.waits_for;
    });
    if (same == waits.end())
      same = waits.insert(same, {fiber.waits_in, fiber.waits_at, fiber.waits_for, {}});
    same->threads.push_back(t);
  }
  std::vector<Site> sites;
  std::string text = "deadlock in block (" + std::to_string(block_index.x) + ", " +
                     std::to_string(block_index.y) + ", " + std::to_string(block_index.z) + "):";
  for (const Wait& wait : waits) {
    text += std::string(sites.empty() ? " " : "; ") + ranges(wait.threads) +
            (wait.threads.size() == 1 ? " waits in " : " wait in ") + wait.in + " at {" +
            std::to_string(sites.size()) + "}";
    if (wait.waits_for != nullptr) text += " (" + wait.waits_for->describe() + ")";
    sites.push_back(wait.at);
  }
  if (!ended.empty())
    text += "; " + ranges(ended) + (ended.size() == 1 ? " has ended" : " have ended");
  addFinding(report::kind::deadlock, sites, text);
  context_.setError(cudaErrorLaunchFailure);
}

}  // namespace emulate
