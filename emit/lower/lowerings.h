// Writes operations as statements: one `lower` an operation. lower_kernel.cpp calls them by a
// switch that is generated from ops.def, so that an operation without one does not compile.
#pragma once
#include "emit/lower/context.h"

namespace tile2cu::emit {

// The operations of a block, one after the other.
void lowerBlock(LoweringContext &ctx, const ir::Block &block);

// ---- loops (lower_control.cpp)
void lower(LoweringContext &ctx, const ir::ForOp &loop);
void lower(LoweringContext &ctx, const ir::WhileOp &loop);

// ---- branches (lower_branch.cpp)
void lower(LoweringContext &ctx, const ir::IfOp &branch);
void lower(LoweringContext &ctx, const ir::VoteAnyOp &vote);
void lower(LoweringContext &ctx, const ir::ReturnOp &leave);

// ---- scalars (lower_scalar.cpp, lower_grid.cpp)
void lower(LoweringContext &ctx, const ir::GridOp &grid);
void lower(LoweringContext &ctx, const ir::ProgramIdOp &id);
void lower(LoweringContext &ctx, const ir::NumProgramsOp &count);
void lower(LoweringContext &ctx, const ir::ThreadCoordinateOp &first);
void lower(LoweringContext &ctx, const ir::NumSmsOp &count);
void lower(LoweringContext &ctx, const ir::AsPointerOp &pointer);
void lower(LoweringContext &ctx, const ir::MapOp &map);
void lower(LoweringContext &ctx, const ir::DeviceCallOp &function);
// A call of a function of the user, whose operands are `arguments`.
Expr callOf(LoweringContext &ctx, const ir::DeviceCallOp &function, llvm::ArrayRef<Expr> arguments);
void lower(LoweringContext &ctx, const ir::LoadOp &load);
void lower(LoweringContext &ctx, const ir::StoreOp &store);
void lower(LoweringContext &ctx, const ir::AtomicOp &atomic);
void lower(LoweringContext &ctx, const ir::CudaEffectOp &effect);
void lower(LoweringContext &ctx, const ir::DeviceAssertOp &assertion);
void lower(LoweringContext &ctx, const ir::DevicePrintOp &print);
void lowerElementwise(LoweringContext &ctx, const ir::Op *op);

// ---- tiles
void lower(LoweringContext &ctx, const ir::NestOp &nest);            // lower_loop_nest.cpp
void lower(LoweringContext &ctx, const ir::ReduceAcrossOp &reduce);  // lower_cross_thread_...
void lower(LoweringContext &ctx, const ir::ScanOp &scan);            // lower_scan.cpp
void lower(LoweringContext &ctx, const ir::SortOp &sort);            // lower_sort.cpp
void lower(LoweringContext &ctx, const ir::DotSharedOp &dot);        // lower_dot.cpp
void lower(LoweringContext &ctx, const ir::SharedZeroOp &zero);      // lower_dot.cpp
void lower(LoweringContext &ctx, const ir::LoadFragmentsOp &load);   // lower_mma.cpp
void lower(LoweringContext &ctx, const ir::DotWaitOp &wait);         // lower_wgmma.cpp
// Operations with {exchange} move a tile between threads without shared memory.
void moveInWarp(LoweringContext &ctx, ir::Op *op);  // lower_shuffle.cpp

// ---- asynchronous copies (lower_async_copy.cpp), by TMA (lower_ring.cpp)
void lower(LoweringContext &ctx, const ir::LocalFunctionOp &function);
void lower(LoweringContext &ctx, const ir::CallOp &call);
void lower(LoweringContext &ctx, const ir::AsyncCommitOp &commit);
void lower(LoweringContext &ctx, const ir::AsyncWaitOp &wait);
void lower(LoweringContext &ctx, const ir::ProducerAcquireOp &acquire);
void lower(LoweringContext &ctx, const ir::ConsumerWaitOp &wait);
void lower(LoweringContext &ctx, const ir::ConsumerReleaseOp &release);
void lower(LoweringContext &ctx, const ir::TmaLoadOp &copy);
void lower(LoweringContext &ctx, const ir::TmaStoreOp &copy);
void lower(LoweringContext &ctx, const ir::TmaStoreWaitOp &wait);
void lower(LoweringContext &ctx, const ir::TensorMapOp &map);

// ---- barriers (lower_barrier.cpp)
void lower(LoweringContext &ctx, const ir::BarrierOp &barrier);
void lower(LoweringContext &ctx, const ir::DebugBarrierOp &barrier);

}  // namespace tile2cu::emit
