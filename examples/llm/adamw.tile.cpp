// AdamW over all parameters at once.
#include "real.h"

// The step of AdamW, for all i in [0, n):
//   m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2
//   p -= rate (m correction1 / (sqrt(v correction2) + epsilon) + decay p)
// with decay = weight_decay for the first n_decayed parameters (the matrices) and 0 for the others
// correction1 = 1 / (1 - beta1^t), correction2 = 1 / (1 - beta2^t) in step t = 1, 2, ...
// gradients, parameters, m, v: f32 [n]; weights: [n], the parameters as the layers read them
//
// The gradients are set to zero for the next step.
template <int BLOCK>
__tile_global__ void adamw_step(float* gradients, float* parameters, float* m, float* v,
                                real* __restrict__ weights, int64_t n, int64_t n_decayed,
                                float rate, float beta1, float beta2, float correction1,
                                float correction2, float epsilon, float weight_decay) {
  auto i = grid(cdiv(n, BLOCK)) * BLOCK + arange<BLOCK>();
  auto mask = i < n;
  auto g = load(gradients + i, mask);
  auto p = load(parameters + i, mask);
  auto old_m = load(m + i, mask);
  auto old_v = load(v + i, mask);
  auto new_m = g + beta1 * (old_m - g);
  auto new_v = g * g + beta2 * (old_v - g * g);
  auto decayed = i < n_decayed;
  auto decay = where(decayed, weight_decay, 0.0f);
  auto update = new_m * correction1 / (sqrt(new_v * correction2) + epsilon);
  auto new_p = p - rate * (update + decay * p);
  store(m + i, new_m, mask);
  store(v + i, new_v, mask);
  store(parameters + i, new_p, mask);
  store(weights + i, cast<real>(new_p), mask);
  store(gradients + i, 0.0f, mask);
}

inline constexpr auto adamw = instantiate(adamw_step<1024>, {.num_warps = 4});
