// TMA on the emulator: boxes, swizzles and edges; what is used too early or never waited for.
#include <cstring>

#include "testing.h"

namespace device_tests {
namespace {

using Kind = enum emulate::report::kind;

constexpr int BARRIER = 15 << 10;  // bytes into shared memory; boxes are before it
tile2cu::mbarrier& full() { return *reinterpret_cast<tile2cu::mbarrier*>(dynamic_smem + BARRIER); }

void prepareBarrier() {
  if (threadIdx.x == 0) {
    tile2cu::mbarrier_init(full(), 1);
    tile2cu::fence_mbarrier_init();
  }
  __syncthreads();
}

int swizzledPlace(int byte, int row_bytes) {
  return row_bytes == 0 ? byte : byte ^ ((byte >> 7 & (row_bytes / 16 - 1)) << 4);
}

// 2 to 5 dimensions of uint16_t with `columns` of 40 and rows of 48 elements, 3 to a dimension above.
struct Tensor {
  static constexpr int COLUMNS = 40, PITCH = 48, ROWS = 20, OTHERS = 3;
  std::vector<uint16_t> at;
  alignas(64) CUtensorMap map;

  Tensor(int rank, std::initializer_list<int> box, int swizzle) {
    int64_t count = PITCH * ROWS;
    for (int d = 2; d < rank; ++d) count *= OTHERS;
    at.resize(std::size_t(count) + 8);
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = uint16_t(i * 7 + 1);
    const int64_t s = PITCH * 2, m = s * ROWS;
    cudaError_t error = cudaErrorInvalidValue;
    const auto make = [&](std::initializer_list<int64_t> extents,
                          std::initializer_list<int64_t> strides) {
      error = tile2cu::make_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, base(), extents,
                                       strides, box, swizzle);
    };
    if (rank == 1) make({COLUMNS}, {});
    if (rank == 2) make({COLUMNS, ROWS}, {s});
    if (rank == 3) make({COLUMNS, ROWS, OTHERS}, {s, m});
    if (rank == 4) make({COLUMNS, ROWS, OTHERS, OTHERS}, {s, m, m * 3});
    if (rank == 5) make({COLUMNS, ROWS, OTHERS, OTHERS, OTHERS}, {s, m, m * 3, m * 9});
    EXPECT_EQ(error, cudaSuccess);
  }
  uint16_t* base() {
    return reinterpret_cast<uint16_t*>((reinterpret_cast<uintptr_t>(at.data()) + 15) & ~15ull);
  }
  uint16_t element(int column, int row, int outer) {
    const bool inside = column >= 0 && column < COLUMNS && row >= 0 && row < ROWS;
    return inside ? base()[(outer * ROWS + row) * PITCH + column] : uint16_t{0};
  }
};

// A box of `columns` x 16 at (column, row), of the given swizzle.
void checkLoad(int swizzle, int columns, int column, int row) {
  Tensor tensor(2, {columns, 16}, swizzle);
  onBlock(64, [&] {
    prepareBarrier();
    if (threadIdx.x == 0) {
      tile2cu::mbarrier_arrive_expect_tx(full(), columns * 16 * 2);
      tile2cu::tma_prefetch_map(tensor.map);
      tile2cu::tma_load(dynamic_smem + 1024, tensor.map, full(), column, row);
    }
    tile2cu::mbarrier_wait(full(), 0);
    for (int e = int(threadIdx.x); e < columns * 16; e += 64) {
      uint16_t value;
      std::memcpy(&value, dynamic_smem + 1024 + swizzledPlace(e * 2, swizzle), 2);
      EXPECT_EQ(value, tensor.element(column + e % columns, row + e / columns, 0)) << e;
    }
  });
}

TEST(Tma, LoadsBoxes) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    for (int swizzle : {128, 64, 32}) {
      checkLoad(swizzle, swizzle / 2, 0, 0);
      checkLoad(swizzle, swizzle / 2, 8, 9);    // over the last row and, if it is wide, column
      checkLoad(swizzle, swizzle / 2, -8, -5);  // over the first
      checkLoad(swizzle, swizzle / 2, 104, 2);  // outside
    }
    checkLoad(0, 24, 8, 1);
  }
}

TEST(Tma, Dimensions) {
  Tensor one(1, {16}, 0), three(3, {8, 2, 2}, 0), four(4, {8, 2, 1, 2}, 0),
      five(5, {8, 1, 2, 1, 2}, 0);
  onBlock(1, [&] {
    prepareBarrier();
    auto* box = reinterpret_cast<uint16_t*>(dynamic_smem);
    tile2cu::mbarrier_arrive_expect_tx(full(), 32 + 64 + 64 + 64);
    tile2cu::tma_load(box, one.map, full(), 8);
    tile2cu::tma_load(box + 64, three.map, full(), 8, 2, 1);
    tile2cu::tma_load(box + 128, four.map, full(), 8, 2, 2, 0);
    tile2cu::tma_load(box + 192, five.map, full(), 8, 2, 0, 1, 2);
    tile2cu::mbarrier_wait(full(), 0);
    EXPECT_EQ(box[2], one.element(10, 0, 0));
    EXPECT_EQ(box[64 + 3 * 8 + 4], three.element(12, 3, 2));
    EXPECT_EQ(box[128 + 3 * 8 + 4], four.element(12, 3, 2 + 3 * 1));
    EXPECT_EQ(box[192 + 1 * 8 + 4], five.element(12, 2, 1 + 3 * 1 + 9 * 2));
    EXPECT_EQ(box[192 + 2 * 8 + 4], 0);  // there are three
  });
}

TEST(Tma, StoresBoxes) {
  for (const emulate::order order : ALL_ORDERS) {
    const Quietly quietly(order);
    for (int swizzle : {128, 64, 32, 0}) {
      const int columns = swizzle == 0 ? 24 : swizzle / 2, column = 32, row = 12;
      Tensor tensor(2, {columns, 16}, swizzle), before(2, {columns, 16}, swizzle);
      onBlock(64, [&] {
        for (int e = int(threadIdx.x); e < columns * 16; e += 64) {
          const auto value = uint16_t(50000 + e);
          std::memcpy(dynamic_smem + swizzledPlace(e * 2, swizzle), &value, 2);
        }
        tile2cu::fence_proxy_async();
        __syncthreads();
        if (threadIdx.x == 0) {
          tile2cu::tma_store(tensor.map, dynamic_smem, column, row);
          tile2cu::tma_store_commit();
          tile2cu::tma_store_wait_read<0>();
        }
        __syncthreads();
        dynamic_smem[threadIdx.x] = 0;  // the TMA store has read it
      });
      for (int r = 0; r < Tensor::ROWS; ++r) {
        for (int c = 0; c < Tensor::PITCH; ++c) {
          const int x = c - column, y = r - row;
          const bool stored = c < Tensor::COLUMNS && x >= 0 && x < columns && y >= 0 && y < 16;
          const int at = r * Tensor::PITCH + c;
          EXPECT_EQ(tensor.base()[at], stored ? 50000 + y * columns + x : before.base()[at]) << at;
        }
      }
    }
  }
}

// As on the hardware, a store writes whole chunks of 16 bytes: past a last column in the middle of one.
TEST(Tma, StoresWholeChunks) {
  Tensor tensor(2, {16, 4}, 32);
  const int64_t pitch = Tensor::PITCH * 2;
  ASSERT_EQ(tile2cu::make_tensor_map(&tensor.map, CU_TENSOR_MAP_DATA_TYPE_UINT16, tensor.base(),
                                     {37, Tensor::ROWS}, {pitch}, {16, 4}, 32),
            cudaSuccess);
  onBlock(64, [&] {
    dynamic_smem[threadIdx.x] = dynamic_smem[64 + threadIdx.x] = 0xee;
    tile2cu::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x != 0) return;
    tile2cu::tma_store(tensor.map, dynamic_smem, 32, 0);
    tile2cu::tma_store_commit();
    tile2cu::tma_store_wait<0>();
  });
  const uint16_t* row = tensor.base();
  for (int column = 30; column < 44; ++column)
    EXPECT_EQ(row[column] == 0xeeee, column >= 32 && column < 40) << column;
}

// ---- what is wrong

std::string report(enum emulate::order order, const std::function<void(Tensor&)>& body,
                   Kind kind = Kind::asynchronous) {
  const Quietly quietly(order);
  Tensor tensor(2, {16, 8}, 32);
  launch(1, 64, [&] {
    prepareBarrier();
    body(tensor);
  });
  return soleReport(kind);
}

// Copies that the hardware reports as illegal instructions.
TEST(Tma, Coordinates) {
  const auto text = [](bool load, int column, int row) {
    return report(
        emulate::order::in_order,
        [=](Tensor& tensor) {
          if (threadIdx.x != 0) return;
          if (load) {
            tile2cu::tma_load(dynamic_smem, tensor.map, full(), column, row);
          } else {
            tile2cu::tma_store(tensor.map, dynamic_smem, column, row);
          }
        },
        Kind::misaligned);
  };
  EXPECT_NE(text(true, 4, 0).find("multiple of 16 bytes"), std::string::npos);
  EXPECT_NE(text(false, 1, 0).find("multiple of 16 bytes"), std::string::npos);
  EXPECT_NE(text(false, 0, -1).find("negative coordinate"), std::string::npos);
  EXPECT_NE(text(false, -8, 0).find("negative coordinate"), std::string::npos);
}

TEST(Tma, ReadBeforeTheWait) {
  const std::string text = report(emulate::order::in_order, [](Tensor& tensor) {
    if (threadIdx.x != 0) return;
    tile2cu::mbarrier_arrive_expect_tx(full(), 256);
    tile2cu::tma_load(dynamic_smem, tensor.map, full(), 0, 0);  // load
    const unsigned char byte = dynamic_smem[17];                // read
    EXPECT_EQ(byte, 0xff);
    tile2cu::mbarrier_wait(full(), 0);
  });
  EXPECT_NE(text.find("is still writing"), std::string::npos) << text;
  for (const char* line : {"load", "read"})
    EXPECT_NE(text.find(lineOf(__FILE__, line)), std::string::npos) << text;
}

// The load lands early, but nothing tells the other warp.
TEST(Tma, ReadWithoutAWait) {
  const std::string text = report(
      emulate::order::reverse,
      [](Tensor& tensor) {
        if (threadIdx.x == 0) {
          tile2cu::mbarrier_arrive_expect_tx(full(), 256);
          tile2cu::tma_load(dynamic_smem, tensor.map, full(), 0, 0);
          tile2cu::mbarrier_wait(full(), 0);
        }
        if (threadIdx.x == 63) {
          const unsigned char byte = dynamic_smem[17];
          EXPECT_NE(byte, 0xff);
        }
      },
      Kind::race);
  EXPECT_NE(text.find("an asynchronous copy of warp 0 wrote it"), std::string::npos) << text;
}

TEST(Tma, MoreBytesThanAnnounced) {
  for (const emulate::order order : {emulate::order::in_order, emulate::order::reverse}) {
    const std::string text = report(
        order,
        [](Tensor& tensor) {
          if (threadIdx.x != 0) return;
          tile2cu::mbarrier_arrive_expect_tx(full(), 128);
          tile2cu::tma_load(dynamic_smem, tensor.map, full(), 0, 0);
          tile2cu::mbarrier_wait(full(), 0);
        },
        Kind::barrier);
    EXPECT_NE(text.find("128 bytes more than were announced"), std::string::npos) << text;
  }
}

TEST(Tma, NobodyWaits) {
  const std::string text = report(emulate::order::in_order, [](Tensor& tensor) {
    if (threadIdx.x != 0) return;
    tile2cu::mbarrier_arrive_expect_tx(full(), 256);
    tile2cu::tma_load(dynamic_smem, tensor.map, full(), 0, 0);
  });
  EXPECT_NE(text.find("the block ends before"), std::string::npos) << text;
}

TEST(Tma, StoreOfUnfencedBytes) {
  const std::string text = report(emulate::order::in_order, [](Tensor& tensor) {
    if (threadIdx.x == 40) dynamic_smem[64] = 1;  // unfenced write
    if (threadIdx.x != 40) tile2cu::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x != 0) return;
    tile2cu::tma_store(tensor.map, dynamic_smem, 0, 0);
    tile2cu::tma_store_commit();
    tile2cu::tma_store_wait_read<0>();
  });
  EXPECT_NE(text.find("which thread 40 wrote at"), std::string::npos) << text;
  EXPECT_NE(text.find(lineOf(__FILE__, "unfenced write")), std::string::npos) << text;
}

// Thread 0 stores the box to one place twice, and waits in between only until the first store has
// read it. `change` is added to the box there.
void storeTwice(Tensor& tensor, int change) {
  if (threadIdx.x != 0) return;
  for (int i = 0; i < 2; ++i) {
    dynamic_smem[5] = static_cast<unsigned char>(i * change);
    tile2cu::fence_proxy_async();
    tile2cu::tma_store(tensor.map, dynamic_smem, 0, 0);
    tile2cu::tma_store_commit();
    tile2cu::tma_store_wait_read<0>();
  }
}

// Stores have no order, although each has read its box.
TEST(Tma, StoresOfOnePlace) {
  const std::string text =
      report(emulate::order::in_order, [](Tensor& tensor) { storeTwice(tensor, 1); });
  EXPECT_NE(text.find("may not have written yet"), std::string::npos) << text;
}

TEST(Tma, StoresOfTheSameToOnePlace) {
  Tensor tensor(2, {8, 16}, 0);
  onBlock(64, [&] { storeTwice(tensor, 0); });
}

TEST(Tma, BoxWrittenWhileItIsStored) {
  const std::string text = report(emulate::order::in_order, [](Tensor& tensor) {
    if (threadIdx.x != 0) return;
    tile2cu::tma_store(tensor.map, dynamic_smem, 0, 0);
    tile2cu::tma_store_commit();
    dynamic_smem[5] = 1;
    tile2cu::tma_store_wait_read<0>();
  });
  EXPECT_NE(text.find("is still reading"), std::string::npos) << text;
}

TEST(Tma, StoreNobodyWaitsFor) {
  const std::string text = report(emulate::order::in_order, [](Tensor& tensor) {
    if (threadIdx.x != 0) return;
    tile2cu::tma_store(tensor.map, dynamic_smem, 0, 0);
    tile2cu::tma_store_commit();
    tile2cu::tma_store_wait_read<1>();
  });
  EXPECT_NE(text.find("before this tma_store has read"), std::string::npos) << text;
}

TEST(Tma, Misalignment) {
  report(
      emulate::order::in_order,
      [](Tensor& tensor) {
        if (threadIdx.x == 0) tile2cu::tma_load(dynamic_smem + 64, tensor.map, full(), 0, 0);
      },
      Kind::misaligned);
}

TEST(TensorMap, Refusals) {
  alignas(64) CUtensorMap map;
  alignas(16) float data[64];
  const auto make = [&](const void* base, std::initializer_list<int64_t> extents,
                        std::initializer_list<int64_t> strides, std::initializer_list<int> box,
                        int swizzle) {
    return tile2cu::make_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, base, extents, strides,
                                    box, swizzle);
  };
  EXPECT_EQ(make(data, {8, 8}, {32}, {8, 4}, 32), cudaSuccess);
  EXPECT_EQ(make(data, {0, -3}, {32}, {8, 4}, 32), cudaSuccess);
  EXPECT_EQ(make(data, {tile2cu::MAX_EXTENT}, {}, {8}, 0), cudaSuccess);
  EXPECT_EQ(make(data, {tile2cu::MAX_EXTENT + 1}, {}, {8}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(make(data + 1, {8, 8}, {32}, {8, 4}, 32), cudaErrorInvalidValue);
  EXPECT_EQ(make(nullptr, {8, 8}, {32}, {8, 4}, 32), cudaSuccess);  // no map, as nothing is read
  EXPECT_EQ(make(data, {8, 8}, {36}, {8, 4}, 32), cudaErrorInvalidValue);
  EXPECT_EQ(make(data, {8, 8}, {-32}, {8, 4}, 32), cudaErrorInvalidValue);
  EXPECT_EQ(make(data, {8, 8}, {32}, {16, 4}, 32), cudaErrorInvalidValue);
  EXPECT_EQ(make(data, {8, 8}, {32}, {8, 257}, 32), cudaErrorInvalidValue);
  EXPECT_EQ(make(data, {8, 8}, {32}, {6, 4}, 0), cudaErrorInvalidValue);
  EXPECT_EQ(make(data, {8, 8}, {}, {8, 4}, 32), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace device_tests
