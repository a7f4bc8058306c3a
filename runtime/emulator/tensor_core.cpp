// mma, ldmatrix and stmatrix of a warp: the last lane to arrive does the work of all.
#include "tile2cu/emulator/tensor_core.h"

#include <cmath>
#include <cstring>

#include "device_call.h"
#include "tensor_elements.h"

namespace emulate {

namespace {

constexpr int ROWS = 16, COLUMNS = 8, MAX_K = 32;

struct MmaLane {
  const mma_instruction* instruction;
  void* d;
  const void *a, *b;
};

// `get(lane, i)` returns element i of a lane's d as a T, `set` writes it.
template <class T, class Get, class Set>
void multiply(MmaLane* const* lanes, int rows, Get get, Set set) {
  const mma_instruction& what = *lanes[0]->instruction;
  const int k_count = what.k;
  // How many elements of a and b a register holds.
  const int in_register = bitsOf(what.a) < 32 ? 32 / bitsOf(what.a) : 1;
  T a[ROWS][MAX_K], b[MAX_K][COLUMNS], d[ROWS][COLUMNS];
  for (int lane = 0; lane < 32; ++lane) {
    const int row_count = rows / 8;  // the rows of a of which a lane holds elements
    for (int i = 0; i < row_count * k_count / 4; ++i) {
      const int r = i / in_register, e = i % in_register;
      const int row = lane / 4 + r % row_count * 8;
      const int k = (r / row_count * 4 + lane % 4) * in_register + e;
      a[row][k] = registerElement<T>(what.a, lanes[lane]->a, i);
    }
    for (int i = 0; i < k_count / 4; ++i) {
      const int k = (i / in_register * 4 + lane % 4) * in_register + i % in_register;
      b[k][lane / 4] = registerElement<T>(what.b, lanes[lane]->b, i);
    }
    for (int i = 0; i < rows / 4; ++i) {
      d[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2] = get(*lanes[lane], i);
    }
  }
  for (int m = 0; m < rows; ++m) {
    for (int k = 0; k < k_count; ++k) {
      for (int n = 0; n < COLUMNS; ++n) {
        if constexpr (sizeof(T) == 8) {
          d[m][n] = std::fma(a[m][k], b[k][n], d[m][n]);
        } else {
          d[m][n] += a[m][k] * b[k][n];
        }
      }
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < rows / 4; ++i) {
      set(*lanes[lane], i, d[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2]);
    }
  }
}

template <class T>
void multiplyPlain(MmaLane* const* lanes, int rows) {
  multiply<T>(
      lanes, rows, [](const MmaLane& lane, int i) { return static_cast<const T*>(lane.d)[i]; },
      [](MmaLane& lane, int i, T value) { static_cast<T*>(lane.d)[i] = value; });
}

void runMma(void* const* pointers) {
  MmaLane* lanes[32];
  for (int l = 0; l < 32; ++l) lanes[l] = static_cast<MmaLane*>(pointers[l]);
  switch (lanes[0]->instruction->d) {
    case mma_accumulator::f32:
      return multiplyPlain<float>(lanes, 16);
    case mma_accumulator::s32:
      return multiplyPlain<std::uint32_t>(lanes, 16);  // the same bits, and overflow is defined
    case mma_accumulator::f64:
      return multiplyPlain<double>(lanes, 8);
    case mma_accumulator::f16:
      using format = float16_format<10>;
      return multiply<float>(
          lanes, 16,
          [](const MmaLane& lane, int i) {
            return format::decode(static_cast<const std::uint16_t*>(lane.d)[i]);
          },
          [](MmaLane& lane, int i, float value) {
            static_cast<std::uint16_t*>(lane.d)[i] = format::encode(value);
          });
  }
}

struct MatrixLane {
  std::uint32_t* r;
  int count;
  bool transposed;
  std::uint16_t row[8];
};

void runLdmatrix(void* const* pointers) {
  const auto lane = [&](int l) { return static_cast<MatrixLane*>(pointers[l]); };
  for (int l = 0; l < 32; ++l) {
    for (int i = 0; i < lane(l)->count; ++i) {
      std::uint32_t word = 0;
      for (int e = 0; e < 2; ++e) {
        const int along = l % 4 * 2 + e, across = l / 4;
        const int row = lane(l)->transposed ? along : across;
        const int column = lane(l)->transposed ? across : along;
        word |= std::uint32_t{lane(i * 8 + row)->row[column]} << (16 * e);
      }
      lane(l)->r[i] = word;
    }
  }
}

struct StoredLane {
  const std::uint32_t* r;
  int count;
  bool transposed;
  void* row;
};

void runStmatrix(void* const* pointers) {
  const auto lane = [&](int l) { return static_cast<StoredLane*>(pointers[l]); };
  for (int l = 0; l < 32; ++l) {
    for (int i = 0; i < lane(l)->count; ++i) {
      for (int e = 0; e < 2; ++e) {
        const int along = l % 4 * 2 + e, across = l / 4;
        const int row = lane(l)->transposed ? along : across;
        const int column = lane(l)->transposed ? across : along;
        const auto element = std::uint16_t(lane(l)->r[i] >> (16 * e));
        std::memcpy(static_cast<char*>(lane(i * 8 + row)->row) + column * 2, &element, 2);
      }
    }
  }
}

}  // namespace

#define PC __builtin_return_address(0)

void mma(const mma_instruction& instruction, void* d, const void* a, const void* b) {
  const DeviceCall device;
  MmaLane mine = {&instruction, d, a, b};
  device->warps.execute(instruction.name, &mine, runMma, PC);
}

void ldmatrix(const char* name, int count, bool transposed, std::uint32_t* r, const void* row) {
  const DeviceCall device;
  MatrixLane mine = {r, count, transposed, {}};
  if (device->context.thread() % 32 < unsigned(count) * 8) {
    device->memory.requireShared(row, PC);
    device->memory.access(reinterpret_cast<std::uintptr_t>(row), 16, access::unchecked_read, PC,
                          16);
    std::memcpy(mine.row, row, 16);
  }
  device->warps.execute(name, &mine, runLdmatrix, PC);
}

void stmatrix(const char* name, int count, bool transposed, void* row, const std::uint32_t* r) {
  const DeviceCall device;
  StoredLane mine = {r, count, transposed, row};
  if (device->context.thread() % 32 < unsigned(count) * 8) {
    device->memory.requireShared(row, PC);
    device->memory.access(reinterpret_cast<std::uintptr_t>(row), 16, access::write, PC, 16);
  }
  device->warps.execute(name, &mine, runStmatrix, PC);
}

void read_fragment(void* element, const void* place, int bytes) {
  const DeviceCall device;
  device->memory.requireShared(place, PC);
  device->memory.access(reinterpret_cast<std::uintptr_t>(place), bytes, access::unchecked_read, PC,
                        bytes);
  std::memcpy(element, place, bytes);
}

}  // namespace emulate
