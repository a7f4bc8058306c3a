// A program that calls one kernel: on a GPU (-DON_GPU) its variables are in memory of both sides.
#pragma once
#ifdef ON_GPU
#define VARIABLE static __managed__
#define SYNCHRONIZE int(cudaDeviceSynchronize())
#else
#define VARIABLE static
#define SYNCHRONIZE 0
#endif
