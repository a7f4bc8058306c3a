#pragma once
inline __host__ __device__ float halve(float x) { return x * 0.5f; }
