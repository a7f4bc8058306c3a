// The functions that -fsanitize=signed-integer-overflow calls. Signed arithmetic of a kernel that
// overflows is reported. In host code, such as a launcher, it ends the program.
#include <cstdio>
#include <cstdlib>

#include "device_call.h"
#include "findings.h"

namespace {

// How compilers describe the location.
struct Location {
  const char* file;
  unsigned line, column;
};

void overflow(const void* data, const void* pc) {
  using emulate::Machine;
  Machine* machine = Machine::active;
  if (machine == nullptr || !machine->context.inKernel()) {
    const Location& at = *static_cast<const Location*>(data);
    std::fprintf(stderr, "%s:%u: signed arithmetic overflows\n", at.file, at.line);
    std::abort();
  }
  const emulate::DeviceCall device(*machine);
  emulate::addFinding(emulate::report::kind::overflow, {device->context.site(pc)},
                      "signed arithmetic of " + device->context.threadText() + " overflows");
}

}  // namespace

#define PC __builtin_return_address(0)

extern "C" {

void __ubsan_handle_add_overflow(void* data, void*, void*) { overflow(data, PC); }
void __ubsan_handle_sub_overflow(void* data, void*, void*) { overflow(data, PC); }
void __ubsan_handle_mul_overflow(void* data, void*, void*) { overflow(data, PC); }
void __ubsan_handle_divrem_overflow(void* data, void*, void*) { overflow(data, PC); }
void __ubsan_handle_negate_overflow(void* data, void*) { overflow(data, PC); }

}  // extern "C"
