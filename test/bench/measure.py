"""Times lists of calls against each other: CUDA graphs that cycle through enough buffers to defeat
the L2 cache, replayed in turns and random order, so that clocks and heat are shared. Ratios are
taken by round."""

import random
import statistics

import torch

ROUNDS = 11
GRAPH_MS = 2.5
CALLS_AT_MOST = 400  # in one graph


class Variant:
    def __init__(self, name, calls):
        self.name, self.calls, self.times = name, calls, []

    def capture(self):
        for call in self.calls:
            call()
        torch.cuda.synchronize()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for call in self.calls:
            call()
        end.record()
        torch.cuda.synchronize()
        one = max(start.elapsed_time(end) / len(self.calls), 0.002)
        repeats = round(GRAPH_MS / one / len(self.calls))
        repeats = max(1, min(repeats, CALLS_AT_MOST // len(self.calls)))
        self.count = repeats * len(self.calls)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=torch.cuda.Stream()):
            for _ in range(repeats):
                for call in self.calls:
                    call()
        self.graph.replay()
        torch.cuda.synchronize()

    def time(self):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.graph.replay()  # the clocks and caches of this variant
        start.record()
        self.graph.replay()
        end.record()
        torch.cuda.synchronize()
        self.times.append(start.elapsed_time(end) / self.count)

    def median(self):
        return statistics.median(self.times)


def measure(alternatives, rounds=ROUNDS):
    """{name: [calls, ...]} -> ({name: fastest Variant}, [problems]). Variants that fail are dropped."""
    variants, problems = [], []
    for name, lists in alternatives.items():
        for calls in lists:
            variant = Variant(name, calls)
            try:
                variant.capture()
                variants.append(variant)
            except Exception as error:  # the others go on
                problems.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
    for _ in range(rounds):
        for variant in random.sample(variants, len(variants)):
            variant.time()
    best = {}
    for variant in variants:
        if variant.name not in best or variant.median() < best[variant.name].median():
            best[variant.name] = variant
    return best, problems


def speedup(ours, peer):
    """How many times as fast as `peer` ours is: the median of the ratios within a round."""
    return statistics.median(p / o for o, p in zip(ours.times, peer.times))
