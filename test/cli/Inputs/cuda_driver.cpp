// A CUDA driver for native_arch.test: COUNT GPUs, sm_80 and sm_90 in turns.
extern "C" {
int cuInit(unsigned) { return 0; }
int cuDeviceGetCount(int *count) {
  *count = COUNT;
  return 0;
}
int cuDeviceGetAttribute(int *value, int what, int device) {
  *value = what == 75 ? 8 + device % 2 : 0;
  return what == 75 || what == 76 ? 0 : 1;
}
}
