// Lets loops carry the pointer to each thread's first element of a copy, in place of the pointer to
// the tile. The address of an element is then that pointer and a multiple of a stride, and an
// iteration computes neither the thread's row nor the product with it:
//
//  local_function {id = 0} {                      local_function {id = 0} {
//    ^(%p)                                          ^(%p)
//    loop nest on #l {                              loop nest on #l {
//      %r = arange                                    %r = arange {registers_only = true}
//      %o = mul %r, %stride                           %o = mul %r, %stride
//      async_copy (%p + %o), ...          ==>         async_copy (%p + %o), ...
//    }                                              }
//  }                                              }
//                                                 %t = thread_coordinate {axis = 0} on #l
//                                                 %o.t = mul %t, %stride
//                                                 %a.t = addptr %a, %o.t
//  for %k, %next = %a {                           for %k, %next = %a.t {
//    call %next {id = 0}                            call %next {id = 0}
//    yield %next + %step                            yield %next + %step
//  }                                              }
//
// This holds where the offset is linear in the coordinates: a coordinate is the sum of a part that
// the thread gives and a part that its registers give. Both parts are coordinates of elements of
// the tile (that of the thread's first element, and that of the first thread), so no product is new
// to the program, and none overflows.
//
// The pointer has to be used by one asynchronous copy of a local function alone, and to reach it
// through the arguments of calls and through loops that only advance it.
#pragma once
#include "passes/pass_context.h"

namespace tile2cu::passes {

llvm::LogicalResult carry_thread_pointers(ir::Module &module, PassContext &context);

}  // namespace tile2cu::passes
