// Programs and the grid, and integer helpers that kernels and launchers share.
#pragma once

#include "create.h"

#if !defined(__TILE2CU__)
#include "cpu/program.h"
#endif

namespace tl {

// The ids of a two- or three-dimensional grid: `auto [x, y] = grid(m, n);`
struct ids2 {
  std::int64_t x, y;
};
struct ids3 {
  std::int64_t x, y, z;
};

// The program's ids. It starts the kernel (constants, assumptions and requirements may precede it)
// and tells the launcher how many programs to start; the arguments may use kernel parameters,
// constants and num_sms().
TL_OP("grid") TL_INLINE std::int64_t grid(std::int64_t x) TL_CPU(return cpu::grid(x, 1, 1)[0];);
TL_OP("grid")
TL_INLINE ids2 grid(std::int64_t x, std::int64_t y)
    TL_CPU(const auto id = cpu::grid(x, y, 1); return {id[0], id[1]};);
TL_OP("grid")
TL_INLINE ids3 grid(std::int64_t x, std::int64_t y, std::int64_t z)
    TL_CPU(const auto id = cpu::grid(x, y, z); return {id[0], id[1], id[2]};);

// For kernels without `grid`, which are launched with an explicit one. The axis is 0, 1 or 2.
TL_OP("program_id")
TL_INLINE std::int64_t program_id(int axis) TL_CPU(return cpu::programId(axis););
TL_OP("num_programs")
TL_INLINE std::int64_t num_programs(int axis) TL_CPU(return cpu::numPrograms(axis););
// The number of multiprocessors of the device; 4 on the CPU.
TL_OP("num_sms") TL_INLINE int num_sms() TL_CPU(return cpu::kNumSms;);

// a / b rounded up, for b > 0; no intermediate overflows. Scalars or tiles of integers.
template <class A, class B>
  requires(detail::Integral<A> && detail::Integral<B>)
__tile__ constexpr auto cdiv(const A& a, const B& b) {
  return a / b + (a % b > 0);
}

// The smallest power of two that is n or more; 1 for n < 2.
__tile__ constexpr std::int64_t next_power_of_2(std::int64_t n) {
  std::int64_t power = 1;
  while (power < n) power *= 2;
  return power;
}

namespace detail {
// Returns x; the compiler may assume 0 <= x < bound.
TL_OP("index_below")
TL_INLINE TL_CONSTEXPR std::int64_t indexBelow(std::int64_t x, std::int64_t bound)
    TL_CPU(return x;);
}  // namespace detail

// The tile (row, column) of program `id`, where the programs of a grid of rows x columns are
// numbered in groups of `group` rows, column by column within a group, so that neighbouring
// programs share operands in the cache. 0 <= id < rows * columns.
__tile__ constexpr ids2 swizzle2d(std::int64_t id, std::int64_t rows, std::int64_t columns,
                                  std::int64_t group) {
  const std::int64_t group_size = group * columns;
  const std::int64_t first_m = id / group_size * group;
  const std::int64_t m_left = rows - first_m;
  const std::int64_t group_m = m_left < group ? m_left : group;
  const std::int64_t id_in_group = id % group_size;
  return {detail::indexBelow(first_m + id_in_group % group_m, rows),
          detail::indexBelow(id_in_group / group_m, columns)};
}

// The same if rows * columns fits in an int: 32-bit divisions take a fraction of the time of 64-bit
// ones.
template <class Id, class Group>
  requires(detail::Integral<Id> && !detail::isTile<Id> && sizeof(Id) == sizeof(int))
__tile__ constexpr ids2 swizzle2d(Id id, Id rows, Id columns, Group group) {
  if (group == 1) {
    return {detail::indexBelow(id / columns, rows), detail::indexBelow(id % columns, columns)};
  }
  const Id max_group_m =
      rows < group ? rows : Id(group);  // of a group: max_group_m * columns fits as well
  const Id group_size = max_group_m * columns;
  const Id first_m = id / group_size * max_group_m;
  const Id m_left = rows - first_m;
  const Id group_m = m_left < max_group_m ? m_left : max_group_m;
  const Id id_in_group = id % group_size;
  return {detail::indexBelow(first_m + id_in_group % group_m, rows),
          detail::indexBelow(id_in_group / group_m, columns)};
}

}  // namespace tl
