// Operands of wgmma in shared memory, as the documentation describes them: for tests on the emulator
// and on a GPU.
#pragma once

namespace panels {

// Where element (i, k) of an operand of `rows` x `depth` stands, in panels of rows of `row_bytes`.
struct Layout {
  bool transposed;
  int row_bytes, element_bytes, rows, depth;
  int panelBytes() const { return (transposed ? depth : rows) * row_bytes; }
  int plain(int i, int k) const {
    const int byte = (transposed ? i : k) * element_bytes, row = transposed ? k : i;
    return byte / row_bytes * panelBytes() + row * row_bytes + byte % row_bytes;
  }
  int place(int i, int k) const {
    const int at = plain(i, k);
    return at ^ ((at >> 7 & (row_bytes / 16 - 1)) << 4);
  }
};

inline int elementA(int i, int k) { return (i * 3 + k * 5) % 7 - (i + k) % 2; }
inline int elementB(int n, int k) { return (n * 2 + k * 3) % 5 - n % 2; }

}  // namespace panels
