#include "warpgroup.h"

#include <algorithm>
#include <cstring>

#include "findings.h"
#include "machine.h"
#include "tensor_elements.h"

namespace emulate {

namespace {

constexpr int ROWS = 64;

// Where element (i, k) of an operand begins in shared memory: i is the row of A or column of B,
// `word` the lower word of its description. 8 rows of a panel are 8 * row_bytes apart.
std::uint32_t operandOffset(std::uint32_t word, int row_bytes, bool transposed, int element_bytes,
                            int i, int k) {
  const std::uint32_t first = (word & 0x3fff) << 4, panel = (word >> 16 & 0x3fff) << 4;
  const int row = transposed ? k : i, byte = (transposed ? i : k) * element_bytes;
  // Major k: all 32 bytes of k are in one panel, wherever in its rows they begin.
  const std::uint32_t in_panel = transposed ? byte % row_bytes : byte;
  const std::uint32_t panels = transposed ? byte / row_bytes * panel : 0;
  return swizzled(first + panels + row * row_bytes + in_panel, row_bytes);
}

template <class T>
T sharedElement(mma_element type, std::uint32_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, shared_begin + offset, bitsOf(type) / 8);
  return decodeElement<T>(type, word);
}

// The lane that has sum (m, n), and which of its sums that is.
unsigned laneOf(int m, int n) { return m / 16 * 32 + m % 8 * 4 + n % 8 / 2; }
int indexOf(int m, int n) { return n / 8 * 4 + m % 16 / 8 * 2 + n % 2; }

std::size_t sumBytes(const wgmma_instruction& what) {
  return std::size_t(what.n) / 2 * (what.d == mma_sum::f16 ? 2 : 4);
}

template <class T>
std::vector<T> operandA(const Product& product) {
  const wgmma_instruction& what = product.what;
  std::vector<T> a(std::size_t(ROWS) * what.k);
  if (!product.in_registers) {
    for (int m = 0; m < ROWS; ++m) {
      for (int k = 0; k < what.k; ++k) {
        a[m * what.k + k] =
            sharedElement<T>(what.a, operandOffset(product.a, what.a_row_bytes, what.a_transposed,
                                                   bitsOf(what.a) / 8, m, k));
      }
    }
    return a;
  }
  const int in_register = 32 / bitsOf(what.a);
  for (unsigned t = 0; t < WARPGROUP; ++t) {
    for (int e = 0; e < 4 * in_register; ++e) {
      const int r = e / in_register, lane = int(t % 32);
      const int m = int(t) / 32 * 16 + lane / 4 + r % 2 * 8;
      const int k = (r / 2 * 4 + lane % 4) * in_register + e % in_register;
      a[m * what.k + k] = registerElement<T>(what.a, product.registers[t], e);
    }
  }
  return a;
}

template <class T>
std::vector<T> operandB(const Product& product) {
  const wgmma_instruction& what = product.what;
  std::vector<T> b(std::size_t(what.k) * what.n);
  for (int n = 0; n < what.n; ++n) {
    for (int k = 0; k < what.k; ++k) {
      b[k * what.n + n] = sharedElement<T>(
          what.b,
          operandOffset(product.b, what.b_row_bytes, what.b_transposed, bitsOf(what.b) / 8, n, k));
    }
  }
  return b;
}

// `get(place, i)` reads sum i of a lane as a T, `set` takes it back.
template <class T, class Get, class Set>
void multiply(const Product& product, Sums& sums, Get get, Set set) {
  const int n_count = product.what.n, k_count = product.what.k;
  const std::vector<T> a = operandA<T>(product), b = operandB<T>(product);
  std::vector<T> row(n_count);
  for (int m = 0; m < ROWS; ++m) {
    for (int n = 0; n < n_count; ++n) {
      row[n] = product.accumulate ? get(sums.of(laneOf(m, n)), indexOf(m, n)) : T();
    }
    for (int k = 0; k < k_count; ++k) {
      for (int n = 0; n < n_count; ++n) row[n] += a[m * k_count + k] * b[k * n_count + n];
    }
    for (int n = 0; n < n_count; ++n) set(sums.of(laneOf(m, n)), indexOf(m, n), row[n]);
  }
}

template <class T>
void multiplyPlain(const Product& product, Sums& sums) {
  multiply<T>(
      product, sums,
      [](const unsigned char* place, int i) {
        T x;
        std::memcpy(&x, place + i * sizeof(T), sizeof(T));
        return x;
      },
      [](unsigned char* place, int i, T x) { std::memcpy(place + i * sizeof(T), &x, sizeof(T)); });
}

void multiplyHalf(const Product& product, Sums& sums) {
  using format = float16_format<10>;
  multiply<float>(
      product, sums,
      [](const unsigned char* place, int i) {
        std::uint16_t bits;
        std::memcpy(&bits, place + i * 2, 2);
        return format::decode(bits);
      },
      [](unsigned char* place, int i, float x) {
        const std::uint16_t bits = format::encode(x);
        std::memcpy(place + i * 2, &bits, 2);
      });
}

bool sameProduct(const WgmmaLane& x, const WgmmaLane& y) {
  return std::strcmp(x.what->name, y.what->name) == 0 && x.b == y.b &&
         x.accumulate == y.accumulate && (x.registers == nullptr) == (y.registers == nullptr) &&
         (x.registers != nullptr || x.a == y.a) && x.what->a_transposed == y.what->a_transposed &&
         x.what->b_transposed == y.what->b_transposed &&
         x.what->a_row_bytes == y.what->a_row_bytes && x.what->b_row_bytes == y.what->b_row_bytes;
}

}  // namespace

// Waits until all 128 threads are in this instruction; the last one calls `last(group)`.
template <class Last>
void Machine::meetWarpgroup(const char* instruction, void* mine, const void* pc, Last last) {
  const Site here = site(pc);
  const unsigned number = current_ / WARPGROUP, first = number * WARPGROUP;
  if (number >= warpgroups_.size()) {
    find(report::kind::divergence, {here},
         "thread " + std::to_string(current_) + " calls " + instruction +
             ", which takes 128 threads; its warpgroup has fewer");
    abandon(cudaErrorLaunchFailure);
  }
  Warpgroup& group = warpgroups_[number];
  if (group.arrived == 0) {
    group.instruction = instruction;
    group.first = here;
  } else if (std::strcmp(group.instruction, instruction) != 0) {
    suspend(instruction, here);  // for good: a deadlock
  } else if (inDifferentLines(group.first, here) &&
             !known(report::kind::divergence, here, group.first)) {
    find(report::kind::divergence, {here, group.first},
         "thread " + std::to_string(current_) + " calls this " + instruction +
             " while others of its warpgroup call that of {1}");
  }
  group.brought[current_ - first] = mine;
  if (++group.arrived < WARPGROUP) {
    suspend(instruction, here);
    return;
  }
  group.arrived = 0;
  last(group);
  for (unsigned t = 0; t < WARPGROUP; ++t) resume(first + t);
}

void Machine::product(WgmmaLane& mine, const void* pc) {
  const Site here = site(pc);
  const unsigned number = current_ / WARPGROUP;
  meetWarpgroup(mine.what->name, &mine, pc,
                [&](Warpgroup& group) { startProduct(group, number, here); });
}

// Notes which chunks of shared memory an operand takes, for the agents of the warps that read them.
void Machine::findOperand(Product& product, unsigned number, bool is_a) {
  const wgmma_instruction& what = product.what;
  const int extent = is_a ? ROWS : what.n, row_bytes = is_a ? what.a_row_bytes : what.b_row_bytes;
  const int bytes = bitsOf(is_a ? what.a : what.b) / 8;
  const bool transposed = is_a ? what.a_transposed : what.b_transposed;
  const int in_chunk = int(AsyncProxy::CHUNK) / bytes;
  for (int i = 0; i < extent; i += transposed ? in_chunk : 1) {
    for (int k = 0; k < what.k; k += transposed ? 1 : in_chunk) {
      const std::uint32_t offset =
          operandOffset(is_a ? product.a : product.b, row_bytes, transposed, bytes, i, k);
      // All warps read B: each of them is checked with a part of it.
      const unsigned warp = number * 4 + unsigned(is_a ? i / 16 : i / 8 % 4);
      useShared(shadow_.productAgent(warp), offset, AsyncProxy::CHUNK, access::fragment_read,
                what.name, product.site);
      product.chunks.push_back(offset);
    }
  }
}

void Machine::startProduct(Warpgroup& group, unsigned number, Site here) {
  const auto lane = [&](unsigned t) { return static_cast<WgmmaLane*>(group.brought[t]); };
  const auto product = std::make_shared<Product>();
  product->what = *lane(0)->what;
  product->in_registers = lane(0)->registers != nullptr;
  product->accumulate = lane(0)->accumulate;
  product->a = lane(0)->a;
  product->b = lane(0)->b;
  product->acc = lane(0)->acc;
  product->site = here;
  const char* const name = product->what.name;
  for (unsigned t = 0; t < WARPGROUP; ++t) {
    if (!sameProduct(*lane(0), *lane(t))) {
      find(report::kind::divergence, {here},
           "thread " + std::to_string(number * WARPGROUP + t) + " calls " + name +
               " with other operands than the first one of its warpgroup");
      abandon(cudaErrorLaunchFailure);
    }
    if (product->in_registers) std::memcpy(product->registers[t], lane(t)->registers, 16);
  }
  if (settings().compute_capability != 90) {
    find(report::kind::asynchronous, {here},
         std::string(name) + " on a device that is not of compute capability 9.0");
  }
  if (!group.fenced) {
    group.fenced = true;
    find(report::kind::asynchronous, {here},
         std::string(name) + " without a wgmma_fence before the first one of warpgroup " +
             std::to_string(number));
  }
  for (unsigned warp = number * 4; warp < number * 4 + 4; ++warp) {
    Shadow::Clock start;
    for (unsigned t = warp * 32; t < warp * 32 + 32; ++t) shadow_.release(t, start);
    shadow_.acquire(shadow_.productAgent(warp), start);
  }
  if (!product->in_registers) findOperand(*product, number, true);
  findOperand(*product, number, false);
  for (unsigned w = 0; w < 4; ++w) {
    shadow_.release(shadow_.productAgent(number * 4 + w), product->clocks[w]);
  }

  Sums& sums = group.sums[product->acc];
  if (sums.products == 0) {
    sums.bytes = sumBytes(product->what);
    sums.values.resize(WARPGROUP * sums.bytes);
    for (unsigned t = 0; t < WARPGROUP; ++t) {
      sums.lanes[t] = lane(t)->acc;
      std::memcpy(sums.of(t), sums.lanes[t], sums.bytes);
      std::memset(sums.lanes[t], 0xff, sums.bytes);
    }
  } else if (sums.bytes != sumBytes(product->what)) {
    find(report::kind::asynchronous, {here},
         std::string(name) + " has sums that a product of another shape is still computing");
    abandon(cudaErrorLaunchFailure);
  }
  ++sums.products;
  group.products.push_back(product);
  ++group.open;
  if (!late()) {
    for (const auto& one : group.products) compute(group, *one);
  }
}

void Machine::compute(Warpgroup& group, Product& product) {
  if (product.computed) return;
  product.computed = true;
  Sums& sums = group.sums[product.acc];
  switch (product.what.d) {
    case mma_sum::f16:
      multiplyHalf(product, sums);
      break;
    case mma_sum::s32:
      multiplyPlain<std::uint32_t>(product, sums);  // the same bits, and overflow is defined
      break;
    default:
      multiplyPlain<float>(product, sums);
  }
}

// The sums reach their registers, in which nobody may have written.
void Machine::deliver(Warpgroup& group, void* acc) {
  const auto found = group.sums.find(acc);
  Sums& sums = found->second;
  bool changed = false;
  for (unsigned t = 0; t < WARPGROUP; ++t) {
    const auto* place = static_cast<const unsigned char*>(sums.lanes[t]);
    changed |= std::any_of(place, place + sums.bytes, [](unsigned char c) { return c != 0xff; });
    std::memcpy(sums.lanes[t], sums.of(t), sums.bytes);
  }
  if (changed) {
    find(report::kind::asynchronous, {group.products.front()->site},
         "the sums of this wgmma were changed before it was waited for");
  }
  group.sums.erase(found);
}

void Machine::fenceProducts(const void* pc) {
  meetWarpgroup("wgmma_fence", nullptr, pc, [](Warpgroup& group) { group.fenced = true; });
}

void Machine::commitProducts(const void* pc) {
  meetWarpgroup("wgmma_commit", nullptr, pc, [](Warpgroup& group) {
    group.groups.push_back(group.open);
    group.open = 0;
  });
}

void Machine::waitForProducts(unsigned pending, const void* pc) {
  const unsigned first = current_ / WARPGROUP * WARPGROUP;
  meetWarpgroup("wgmma_wait", nullptr, pc, [&](Warpgroup& group) {
    std::shared_ptr<Product> last;
    for (; group.groups.size() > pending; group.groups.pop_front()) {
      for (; group.groups.front() > 0; --group.groups.front()) {
        last = group.products.front();
        compute(group, *last);
        for (std::uint32_t offset : last->chunks) proxy_.endRead(offset);
        if (--group.sums[last->acc].products == 0) deliver(group, last->acc);
        group.products.pop_front();
      }
    }
    if (last == nullptr) return;
    for (unsigned t = first; t < first + WARPGROUP; ++t) {
      shadow_.acquire(t, last->clocks[(t - first) / 32]);
    }
  });
}

#define PC __builtin_return_address(0)

void wgmma(const wgmma_instruction& instruction, void* acc, const std::uint32_t* registers,
           std::uint32_t a, std::uint32_t b, bool accumulate) {
  Machine& m = runningMachine();
  const Inside inside(m);
  WgmmaLane mine = {&instruction, acc, registers, a, b, accumulate};
  m.product(mine, PC);
}

void wgmma_fence() {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.fenceProducts(PC);
}

void wgmma_commit() {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.commitProducts(PC);
}

void wgmma_wait(unsigned pending) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.waitForProducts(pending, PC);
}

std::uint32_t wgmma_operand(const void* first, int panel_bytes) {
  Machine& m = runningMachine();
  const Inside inside(m);
  m.requireShared(first, PC);
  const auto offset = std::uint32_t(reinterpret_cast<std::uintptr_t>(first) -
                                    reinterpret_cast<std::uintptr_t>(shared_begin));
  if (offset % 16 != 0 || panel_bytes % 16 != 0) {
    find(report::kind::misaligned, {m.site(PC)},
         "thread " + std::to_string(m.thread()) + " describes an operand at byte " +
             std::to_string(offset) + " of shared memory with panels of " +
             std::to_string(panel_bytes) + " bytes: not multiples of 16");
    m.abandon(cudaErrorMisalignedAddress);
  }
  return (offset & 0x3ffff) >> 4 | std::uint32_t(panel_bytes) >> 4 << 16;
}

}  // namespace emulate
