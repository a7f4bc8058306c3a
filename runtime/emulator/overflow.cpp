// What -fsanitize=signed-integer-overflow calls: a kernel's signed arithmetic that overflows is
// reported. In host code, such as a launcher, it ends the program.
#include <cstdio>
#include <cstdlib>

#include "findings.h"
#include "machine.h"

namespace {

// How compilers describe the place.
struct Place {
  const char* file;
  unsigned line, column;
};

void overflow(const void* data, const void* pc) {
  using emulate::Machine;
  Machine* machine = Machine::active;
  if (machine == nullptr || !machine->inKernel()) {
    const Place& place = *static_cast<const Place*>(data);
    std::fprintf(stderr, "%s:%u: signed arithmetic overflows\n", place.file, place.line);
    std::abort();
  }
  const emulate::Inside inside(*machine);
  emulate::find(emulate::report::kind::overflow, {machine->site(pc)},
                "signed arithmetic of thread " + std::to_string(machine->thread()) + " overflows");
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
