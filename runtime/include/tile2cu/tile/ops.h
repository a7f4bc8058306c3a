// Every operation of the language, and the contract with the front end.
//
// Under __TILE2CU__ each primitive carries [[clang::annotate("tile2cu:op:<name>")]]. The front end
// dispatches on <name> alone, takes element types and shapes from the C++ types of the call and of
// its arguments, and non-type template arguments from the FunctionDecl; they are leading and listed
// in []. `x`, `a`, `b` are tiles or scalars, at least one a tile (or a 16-bit float), unless the
// text says other. Arguments arrive by const reference or by value; constant<I> is an int scalar.
//
//   name              [template arguments] (arguments) -> result
//   ---- operators.h
//   add sub mul div   (a, b) -> both converted to the result's element type, broadcast
//   rem and or xor    (a, b) -> the same, on integers; and, or, xor of two bools -> bool
//   shl shr           (a, b) -> element: a's, promoted; b's type does not matter
//   lt le gt ge eq ne (a, b) -> bool; both converted as for add
//   land lor          (a, b) -> bool; each converted to bool
//   neg not lnot      (a)    -> promoted; promoted (bool: negation); bool
//   addptr            (p, n) or (n, p) -> pointers; p is a T* or a pointer tile, n integer
//   subptr            (p, n) -> pointers, p - n
//   assign_OP         (t, b) -> t = t OP b: add sub mul div rem and or xor shl shr addptr subptr
//   ---- tile_type.h: members; the object is the first argument
//   zeros             the default constructor -> zeros
//   assign            (t, u) -> t = u, of one type
//   subscript         (t, i...) i: all_t keeps a dimension, none_t inserts a 1, slice_t<A, B> keeps
//                     elements A to B - 1; the rest are kept
//   ---- float16.h: constructors and conversion operators
//   cast              (x) -> float16, bfloat16, float
//   ---- float8.h: the same
//   cast              (x) -> float8_e4m3, float8_e5m2, float
//   ---- create.h
//   arange            [N] or [A, B] () -> int tile
//   iota              [axis, D...] () -> int tile
//   full              (<T,> [D...]) (value) -> tile<T, D...>
//   zeros zeros_like  () -> tile<T, D...>; (x) -> x's type
//   cat               [axis] (a, b)
//   ---- reshape.h: the result type has the shape
//   expand_dims       [axis] (t)
//   broadcast_to      [D...] (t)
//   reshape           [D...] or <result type> (t)
//   permute           [P...] (t);  trans (t): two dimensions
//   join              (a, b) -> last dimension 2;  split (t) -> tuple of two tiles
//   flip              [axis] (t)
//   ---- memory.h: pointers are a tile or a scalar T*; trailing enum arguments in any order
//   load              (p [, mask [, other]] {, cache, evict})
//   store             (p, value [, mask] {, cache, evict})
//   ---- atomics.h: returns the old values
//   atomic_add, _sub, _min, _max, _and, _or, _xor, _inc, _dec, _xchg
//                     (p, value [, mask] {, memory_order, scope})
//   atomic_cas        (p, expected, value [, mask] {, memory_order, scope})
//   atomic_load       (p [, mask] {, memory_order, scope})
//   atomic_store      (p, value [, mask] {, memory_order, scope}); returns nothing
//   ---- descriptor.h: arrays are const int64_t (&)[rank], from braced lists
//   make_tensor_descriptor [D...] (p, sizes, strides {, padding}) -> tensor_descriptor<T, D...>
//   descriptor_load   (descriptor, offsets) -> tile<T, D...>; a member
//   descriptor_store  (descriptor, offsets, value); a member
//   ---- dot.h
//   dot               (a, b [, acc] {, precision}) -> acc's type; without it float, int or double
//   ---- arithmetic.h
//   where             (c, a, b)
//   minimum maximum   (a, b {, propagate_nan_t}); also spelled min, max; also two plain scalars
//   clamp             (x, low, high {, propagate_nan_t})
//   fma abs           (a, b, c), (x); scalars too
//   umulhi mulhi      (a, b); scalars too
//   cast              <T> (x {, rounding}) -> x's shape; scalars too
//   bitcast           <T> (x); scalars too
//   map               (f, x...) -> the result type's element is what f returns, converted to it
//   ---- cuda.h
//   cuda              (text, f, x...) -> as map; of scalars alone, a scalar
//   cuda              (text, f, x | reads(p) | writes(p)...) -> the same, or nothing
//   ---- math.h: tiles and scalars of the four float types
//   exp exp2 exp10 expm1 log log2 log10 log1p sqrt sqrt_rn rsqrt cbrt sin cos tan asin acos atan
//   sinh cosh tanh fast_tanh asinh acosh atanh erf erfc erfinv lgamma tgamma floor ceil rint
//   trunc round       (x)
//   pow hypot atan2 fmod remainder copysign nextafter div_rn fdiv   (a, b)
//   add_rn add_rz add_ru add_rd mul_rn mul_rz mul_ru mul_rd   (a, b) of float or double
//   fma_rn fma_rz fma_ru fma_rd   (a, b, c) of float or double
//   isnan isinf isfinite    (x) -> a mask, or a bool
//   ---- reduce.h: without [axis] over all axes
//   sum max min argmax argmin xor_sum any all_of   [axis] (t {, keep_dims_t, propagate_nan_t})
//   reduce            [axis] (t or Tuple<t...>, combine {, keep_dims_t})
//   ---- scan.h
//   cumsum cumprod    [axis] (t {, reverse_t})
//   associative_scan  [axis] (t or Tuple<t...>, combine {, reverse_t})
//   ---- order.h
//   extract           (t, i...) -> an element, [sizes...] (t, i...) -> a part
//   insert            (t, x or part, i...)
//   gather            [axis] (t, index);  scatter scatter_add [axis] (t, index,
//                     values [, mask])
//   sort argsort      [axis] (t {, descending_t});  topk [k, axis] (t) -> tuple of two tiles
//   ---- random.h
//   random_bits       (seed, offsets) -> uint32;  philox (seed, counter) -> tuple of four uint32
//   ---- program.h
//   grid              (x [, y [, z]]) -> int64, ids2 {x, y}, ids3 {x, y, z}
//   program_id num_programs (axis) -> int64;  num_sms () -> int
//   index_below       (x, bound) -> x, of int64: what swizzle2d knows of its results
//   ---- control.h: calls in the range of a range-based for
//   range             (end), (begin, end), (begin, end, step), each {, range_options}
//   static_range      [N], [A, B] or [A, B, S] ()
//   persistent_range dynamic_range  (n)
//   static_for        [N] (f): f(constant<0>{}), ..., f(constant<N - 1>{})
//   ---- hints.h
//   assume_aligned assume_divisible [N] (x) -> x;  multiple_of max_contiguous [N...] (x) -> x
//   assume require    (condition);  device_assert (condition [, message [, mask]])
//   device_print      ("text", x... {, hex_t});  static_print (x...);  debug_barrier ()
//   ---- launch.h: constexpr, with bodies, in the initialiser of a namespace-scope variable
//   instantiate candidate (kernel, options) -> instance;  select (candidate...) -> selection
//
// reduce, associative_scan, map, cuda and static_for have bodies under the tool too. They are never
// run: each contains one call of the callable, so that the specialisation of its call operator that
// the element types choose is instantiated, and is the callee of that call (static_for: one call
// per index, in detail::callEach). A callable that is a function pointer is found in the call
// itself.
//
// Functions marked __tile__ have bodies in the language and are inlined: cdiv, next_power_of_2,
// swizzle2d, ravel, interleave, histogram,
// bincount, sigmoid, silu, gelu, softmax, rand, randint, randn.
#pragma once

#include "arithmetic.h"
#include "atomics.h"
#include "composites.h"
#include "control.h"
#include "create.h"
#include "cuda.h"
#include "descriptor.h"
#include "dot.h"
#include "float16.h"
#include "float8.h"
#include "hints.h"
#include "launch.h"
#include "math.h"
#include "memory.h"
#include "missing.h"
#include "operators.h"
#include "order.h"
#include "program.h"
#include "random.h"
#include "reduce.h"
#include "reshape.h"
#include "scan.h"
