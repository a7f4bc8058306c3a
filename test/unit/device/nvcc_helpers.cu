// Instantiates every device helper for every type that it promises. Compiled by nvcc_helpers.sh,
// never run.
#include "tile2cu/device.cuh"

namespace {

namespace t = tile2cu;
using t::cache;

template <int N, cache LOAD, cache STORE, class T>
__device__ void copy(const T* from, T* to, int valid, T other) {
  t::store_if<N, STORE>(valid > 3, to, t::load_if<N, LOAD>(valid > 2, from, other));
  t::store_prefix<N, STORE>(valid, to, t::load_prefix<N, LOAD>(valid, from, other));
  t::store_element_if<STORE>(valid > 5, to, t::load_element_if<LOAD>(valid > 6, from, other));
}

template <class T>
__global__ void copies(const T* __restrict__ from, T* __restrict__ to, int valid) {
  const T other = T(0.0f);
  copy<1, cache::read_only, cache::write_back>(from, to, valid, other);
  copy<2, cache::read_only_cg, cache::wb>(from, to, valid, other);
  copy<4, cache::read_only_cs, cache::cg>(from, to, valid, other);
  copy<8, cache::read_only_no_allocate, cache::cs>(from, to, valid, other);
  copy<16, cache::read_only_evict_first, cache::wt>(from, to, valid, other);
  copy<1, cache::read_only_evict_last, cache::no_allocate>(from, to, valid, other);
  copy<2, cache::coherent, cache::evict_first>(from, to, valid, other);
  copy<4, cache::ca, cache::evict_last>(from, to, valid, other);
  copy<4, cache::read_only_evict_unchanged, cache::evict_unchanged>(from, to, valid, other);
  copy<4, cache::evict_unchanged, cache::evict_unchanged>(from, to, valid, other);
  copy<8, cache::cg, cache::write_back>(from, to, valid, other);
  copy<16, cache::cs, cache::write_back>(from, to, valid, other);
  copy<1, cache::cv, cache::write_back>(from, to, valid, other);
  copy<2, cache::no_allocate, cache::write_back>(from, to, valid, other);
  copy<4, cache::evict_first, cache::write_back>(from, to, valid, other);
  copy<8, cache::evict_last, cache::write_back>(from, to, valid, other);
}
template __global__ void copies(const bool*, bool*, int);
template __global__ void copies(const int8_t*, int8_t*, int);
template __global__ void copies(const uint16_t*, uint16_t*, int);
template __global__ void copies(const __half*, __half*, int);
template __global__ void copies(const __nv_bfloat16*, __nv_bfloat16*, int);
template __global__ void copies(const int*, int*, int);
template __global__ void copies(const float*, float*, int);
template __global__ void copies(const int64_t*, int64_t*, int);
template __global__ void copies(const double*, double*, int);

// Literals of another type, and the policies' defaults.
__global__ void literals(const __half* __restrict__ from, __half* __restrict__ to, int valid) {
  t::store_if<8>(valid > 1, to, t::load_if<8>(valid > 0, from, 0.0f));
  t::store_prefix<8>(valid, to + 8, t::load_prefix<8>(valid, from + 8, -INFINITY));
  t::store_element_if(valid > 1, to + 16, t::load_element_if(valid > 0, from, 0));
}

template <class T>
__global__ void math(const T* x, T* y) {
  const T a = x[0], b = x[1];
  T* out = y;
  *out++ = t::exp2(a);
  *out++ = t::exp(a);
  *out++ = t::log2(a);
  *out++ = t::log(a);
  *out++ = t::rsqrt(a);
  *out++ = t::sqrt(a);
  *out++ = t::reciprocal(a);
  *out++ = t::fdiv(a, b);
  *out++ = t::tanh(a);
  *out++ = t::fast_tanh(a);
  *out++ = t::sin(a);
  *out++ = t::cos(a);
  *out++ = t::tan(a);
  *out++ = t::erf(a);
  *out++ = t::pow(a, b);
  *out++ = t::hypot(a, b);
  *out++ = t::floor(a);
  *out++ = t::ceil(a);
  *out++ = t::rint(a);
  *out++ = t::fma(a, b, a);
  *out++ = t::maximum_nan(a, b);
  *out++ = t::minimum_nan(a, b);
  *out++ = t::precise::exp2(a);
  *out++ = t::precise::exp(a);
  *out++ = t::precise::log2(a);
  *out++ = t::precise::log(a);
  *out++ = t::precise::rsqrt(a);
  *out++ = t::precise::sqrt(a);
  *out++ = t::precise::tanh(a);
}
template __global__ void math(const float*, float*);
template __global__ void math(const double*, double*);

// Reductions and scans of any type and any number of warps.
template <class T, class Op, int WARPS>
__device__ T reduce(T value, Op op) {
  __shared__ T partial[WARPS];
  value = t::block_reduce(value, op, partial);
  value = t::warp_reduce<8, 4>(value, op);
  value = t::warp_scan<16, 2>(value, op);
  value = t::warp_scan_reverse(value, op);
  value = t::warp_shift_up<4>(value, Op::identity());
  value = t::warp_shift_down<4, 8>(value, Op::identity());
  return t::warp_broadcast(t::warp_shuffle_xor(t::warp_shuffle(value, 3), 1), 5);
}
template <class T>
__global__ void reductions(const T* from, T* to) {
  T value = from[threadIdx.x];
  value = reduce<T, t::sum_op<T>, 1>(value, {});
  value = reduce<T, t::prod_op<T>, 2>(value, {});
  value = reduce<T, t::max_op<T>, 3>(value, {});
  value = reduce<T, t::min_op<T>, 5>(value, {});
  const t::indexed<T> at = {value, int(threadIdx.x)};
  const auto best = reduce<t::indexed<T>, t::argmax_op<T>, 8>(at, {});
  const auto worst = reduce<t::indexed<T>, t::argmin_op<T>, 31>(at, {});
  to[threadIdx.x] = best.index < worst.index ? best.value : worst.value;
}
template __global__ void reductions(const int8_t*, int8_t*);
template __global__ void reductions(const __half*, __half*);
template __global__ void reductions(const __nv_bfloat16*, __nv_bfloat16*);
template __global__ void reductions(const int*, int*);
template __global__ void reductions(const uint64_t*, uint64_t*);
template __global__ void reductions(const float*, float*);
template __global__ void reductions(const double*, double*);

template <class T>
__global__ void bit_reductions(const T* from, T* to) {
  T value = from[threadIdx.x];
  value = reduce<T, t::xor_op<T>, 1>(value, {});
  value = reduce<T, t::or_op<T>, 2>(value, {});
  value = reduce<T, t::and_op<T>, 32>(value, {});
  to[threadIdx.x] = value;
}
template __global__ void bit_reductions(const bool*, bool*);
template __global__ void bit_reductions(const int*, int*);
template __global__ void bit_reductions(const uint64_t*, uint64_t*);

__global__ void nan_reductions(const float* from, float* to) {
  const float value = reduce<float, t::max_nan_op<float>, 4>(from[threadIdx.x], {});
  to[threadIdx.x] = reduce<float, t::min_nan_op<float>, 6>(value, {});
}

// A combine function of the user, without identity or promise of symmetry.
__global__ void user_reduction(const float* from, float* to) {
  struct Moments {
    float mean, square, count;
  };
  __shared__ Moments partial[5];
  const auto merge = [](Moments a, Moments b) {
    const float d = b.mean - a.mean, n = a.count + b.count;
    return Moments{a.mean + d * (b.count / n),
                   a.square + b.square + d * d * (a.count * b.count / n), n};
  };
  to[threadIdx.x] = t::block_reduce(Moments{from[threadIdx.x], 0.0f, 1.0f}, merge, partial).square;
  if (t::warp_any(from[0] > 0.0f) && t::warp_all(from[1] > 0.0f)) to[0] = 1.0f;
  const bool rows[2][2] = {{from[2] > 0.0f, from[3] > 0.0f}, {from[4] > 0.0f, from[5] > 0.0f}};
  t::vec<bool, 2> vectors[2] = {};
  vectors[1][1] = from[6] > 0.0f;
  if (t::warp_any(rows) || t::warp_any(vectors)) to[1] = 1.0f;
  t::as_vec<4>(to) = t::exchange_lanes<2>(t::as_vec<2>(to), t::as_vec<2>(to + 2));
}

__global__ void random(float* to, uint32_t* bits, uint64_t seed, uint64_t offset, float p) {
  const auto threshold = t::uniform_threshold(p);
  const auto one = t::random_bits<1>(seed, offset);
  const auto two = t::random_bits<2>(seed, offset);
  const auto eight = t::random_bits<8>(seed, offset & ~uint64_t{3});
  for (int e = 0; e < 8; ++e) to[e] = eight[e] > threshold ? t::to_uniform(eight[e]) : 0.0f;
  bits[0] = one[0] ^ two[0] ^ two[1] ^ t::umulhi(one[0], two[0]);
  bits[1] = uint32_t(t::umulhi(seed, offset)) ^ uint32_t(t::mulhi(int(one[0]), int(two[0]))) ^
            uint32_t(t::mulhi(int64_t(seed), int64_t(offset)));
}

template <class T>
__global__ void atomics(T* p, T* old, bool mask) {
  old[0] = t::atomic_add(p, T(1.0f));
  if (mask) t::atomic_add(p, T(2.0f));
  old[1] = t::ordered_add<t::memory_order::acq_rel>(p, T(1.0f));
  if (mask) old[2] = t::ordered_add<t::memory_order::release>(p, T(1.0f));
  if constexpr (sizeof(T) >= 4)
    old[3] = t::ordered_add<t::memory_order::acquire, t::scope::system>(p, T(1.0f));
  old[4] = t::ordered_add<t::memory_order::acquire, t::scope::block>(p, T(1.0f));
}
template <int N, class T>
__global__ void additions(T* p, const T* from, bool mask, int valid) {
  t::reduce_add_vector_if<N>(mask, p, t::as_vec<N>(const_cast<T*>(from)));
  t::reduce_add_prefix<N>(valid, p, t::as_vec<N>(const_cast<T*>(from)));
}
template __global__ void additions<1>(float*, const float*, bool, int);
template __global__ void additions<2>(float*, const float*, bool, int);
template __global__ void additions<8>(float*, const float*, bool, int);
template __global__ void additions<1>(__half*, const __half*, bool, int);
template __global__ void additions<2>(__half*, const __half*, bool, int);
template __global__ void additions<16>(__half*, const __half*, bool, int);
template __global__ void additions<4>(__nv_bfloat16*, const __nv_bfloat16*, bool, int);
// Each kind in each order; those of 2 bytes only in the scope of the device.
template <class T, class Call>
__device__ void ordered(T* old, Call call) {
  using t::memory_order;
  old[0] = call(std::integral_constant<memory_order, memory_order::acq_rel>(),
                std::integral_constant<t::scope, t::scope::gpu>());
  if constexpr (sizeof(T) >= 4)
    old[1] = call(std::integral_constant<memory_order, memory_order::acquire>(),
                  std::integral_constant<t::scope, t::scope::system>());
  old[11] = call(std::integral_constant<memory_order, memory_order::release>(),
                 std::integral_constant<t::scope, t::scope::block>());
}
template <class T>
__global__ void updates(T* p, T* old, T x) {
  old[2] = t::atomic_min(p, x);
  old[3] = t::atomic_max(p, x);
  old[4] = t::atomic_xchg(p, x);
  old[5] = t::atomic_cas(p, x, x);
  old[12] = t::atomic_load(const_cast<const T*>(p));
  t::atomic_store(p, x);
  old[13] = t::ordered_load<t::memory_order::acquire>(p);
  old[14] = t::ordered_load<t::memory_order::acquire, t::scope::block>(p);
  t::ordered_store<t::memory_order::release>(p, x);
  t::ordered_store<t::memory_order::release, t::scope::system>(p, x);
  ordered(old, [&](auto o, auto s) {
    return t::ordered_min<decltype(o)::value, decltype(s)::value>(p, x);
  });
  ordered(old, [&](auto o, auto s) {
    return t::ordered_max<decltype(o)::value, decltype(s)::value>(p, x);
  });
  ordered(old, [&](auto o, auto s) {
    return t::ordered_xchg<decltype(o)::value, decltype(s)::value>(p, x);
  });
  ordered(old, [&](auto o, auto s) {
    return t::ordered_cas<decltype(o)::value, decltype(s)::value>(p, x, x);
  });
  if constexpr (std::is_integral_v<T>) {
    old[6] = t::atomic_and(p, x);
    old[7] = t::atomic_or(p, x);
    old[8] = t::atomic_xor(p, x);
    old[9] = t::atomic_inc(p, x);
    old[10] = t::atomic_dec(p, x);
    ordered(old, [&](auto o, auto s) {
      return t::ordered_and<decltype(o)::value, decltype(s)::value>(p, x);
    });
    ordered(old, [&](auto o, auto s) {
      return t::ordered_or<decltype(o)::value, decltype(s)::value>(p, x);
    });
    ordered(old, [&](auto o, auto s) {
      return t::ordered_xor<decltype(o)::value, decltype(s)::value>(p, x);
    });
    ordered(old, [&](auto o, auto s) {
      return t::ordered_inc<decltype(o)::value, decltype(s)::value>(p, x);
    });
    ordered(old, [&](auto o, auto s) {
      return t::ordered_dec<decltype(o)::value, decltype(s)::value>(p, x);
    });
  }
}
template __global__ void updates(int16_t*, int16_t*, int16_t);
template __global__ void updates(uint16_t*, uint16_t*, uint16_t);
template __global__ void updates(int*, int*, int);
template __global__ void updates(uint32_t*, uint32_t*, uint32_t);
template __global__ void updates(int64_t*, int64_t*, int64_t);
template __global__ void updates(uint64_t*, uint64_t*, uint64_t);
template __global__ void updates(float*, float*, float);
template __global__ void updates(double*, double*, double);
template __global__ void updates(__half*, __half*, __half);
template __global__ void updates(__nv_bfloat16*, __nv_bfloat16*, __nv_bfloat16);
template __global__ void atomics(int16_t*, int16_t*, bool);
template __global__ void atomics(int*, int*, bool);
template __global__ void atomics(uint32_t*, uint32_t*, bool);
template __global__ void atomics(int64_t*, int64_t*, bool);
template __global__ void atomics(uint64_t*, uint64_t*, bool);
template __global__ void atomics(float*, float*, bool);
template __global__ void atomics(double*, double*, bool);
template __global__ void atomics(__half*, __half*, bool);
template __global__ void atomics(__nv_bfloat16*, __nv_bfloat16*, bool);

// Native arithmetic of 16-bit floats, which kernels write with operators.
template <class T>
__global__ void arithmetic(const T* x, T* y) {
  const T a = x[0], b = x[1];
  y[0] = a + b;
  y[1] = a - b;
  y[2] = a * b;
  y[3] = a / b;
  y[4] = -a;
  y[5] = t::maximum(a, b) < t::minimum(a, b) ? t::absolute(a) : b;
}
template __global__ void arithmetic(const __half*, __half*);
template __global__ void arithmetic(const __nv_bfloat16*, __nv_bfloat16*);
template __global__ void arithmetic(const float*, float*);
template __global__ void arithmetic(const double*, double*);
template __global__ void arithmetic(const int*, int*);

template <class T>
__global__ void products(const T* x, T* y) {
  y[0] = t::multiply(x[0], x[1]) + x[2];
}
template __global__ void products(const __half*, __half*);
template __global__ void products(const __nv_bfloat16*, __nv_bfloat16*);

__global__ void conversions(const float* x, __half* h, __nv_bfloat16* b, float* y) {
  h[0] = t::to_half(x[0]);
  h[1] = t::to_half(double(x[1]));
  h[3] = t::to_half(int(x[1]));
  h[4] = t::to_half(unsigned(x[1]));
  h[2] = t::to_half_rz(x[2]);
  h[5] = t::small_to_half<-8>(int(x[1]));
  b[5] = t::small_to_bfloat16<-8>(int(x[1]));
  b[0] = t::to_bfloat16(x[0]);
  b[1] = t::to_bfloat16(double(x[1]));
  b[3] = t::to_bfloat16(int(x[1]));
  b[4] = t::to_bfloat16(unsigned(x[1]));
  b[2] = t::to_bfloat16_rz(x[2]);
  const int64_t i = int64_t(x[4]);
  const uint64_t u = uint64_t(x[5]);
  h[6] = t::to_half(i);
  h[7] = t::to_half(u);
  b[6] = t::to_bfloat16(i);
  b[7] = t::to_bfloat16(u);
  y[1] = t::to_float_rz(double(x[1])) + t::to_float_rz(int(i)) + t::to_float_rz(uint32_t(u));
  y[2] = t::to_float_rz(i) + t::to_float_rz(u);
  y[3] = float(t::to_double_rz(i) + t::to_double_rz(u));
  y[0] = t::to_float(h[3]) + t::to_float(b[3]) + t::bit_cast<float>(t::bit_cast<int>(x[3]) ^ 1);
}

__global__ void shared_vectors(const float* x, float* y) {
  __shared__ alignas(16) float tile[256];
  t::store_shared(tile + 8 * threadIdx.x, t::load_if<8>(true, x + 8 * threadIdx.x, 0.0f));
  __syncthreads();
  t::store_if<4>(true, y + 4 * threadIdx.x, t::load_shared<4>(tile + 4 * (threadIdx.x ^ 1)));
}

// Copies of elements of any size that fits. (check_instructions.py sees to what is no template.)
template <class T>
__global__ void async_copies(const T* from, T* to, int valid) {
  __shared__ alignas(16) T tile[512];
  T* const mine = tile + threadIdx.x * 16;
  t::cp_async_prefix<16>(valid, mine, from);
  if constexpr (sizeof(T) <= 8) t::cp_async_prefix<8>(valid, mine, from + 64);
  if constexpr (sizeof(T) <= 4) t::cp_async_prefix<4>(valid, mine, from + 128);
  t::cp_async_if<16>(valid > 3, mine, from);
  t::cp_async<16>(mine, from);
  t::cp_async_commit();
  t::cp_async_wait<0>();
  __syncthreads();
  to[threadIdx.x] = tile[threadIdx.x];
}
template __global__ void async_copies(const int8_t*, int8_t*, int);
template __global__ void async_copies(const __half*, __half*, int);
template __global__ void async_copies(const __nv_bfloat16*, __nv_bfloat16*, int);
template __global__ void async_copies(const float*, float*, int);
template __global__ void async_copies(const double*, double*, int);

}  // namespace

static_assert(t::resident_blocks(128, 1024) == 8 && t::resident_blocks(32, 1024) == 16 &&
              t::resident_blocks(1024, 512) == 1);
static_assert(t::divisible<4>(8, 12u, 16LL) && !t::divisible<4>(8, 13));

bool launch(const float* x, float* y, const __half* h, __half* g, uint32_t* bits) {
  literals<<<1, 1>>>(h, g, 4);
  nan_reductions<<<1, 256>>>(x, y);
  user_reduction<<<1, 160>>>(x, y);
  random<<<1, 1>>>(y, bits, 1, 2, 0.5f);
  conversions<<<1, 1>>>(x, g, nullptr, y);
  shared_vectors<<<1, 32>>>(x, y);
  return t::aligned<16>(x, y, h);
}
