#include "emit/host/tensor_maps.h"

#include <climits>

#include "emit/spelling/cuda_scalar.h"
#include "emit/spelling/host_expr.h"
#include "emit/spelling/kernel_parameters.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/builder.h"
#include "passes/ir/diagnostics/diagnostics.h"
#include "passes/target/memory_system.h"

namespace tile2cu::emit {
using namespace ir;

namespace {

const char *dataType(Scalar scalar) {
  switch (scalar) {
    case Scalar::F16:
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT16";
    case Scalar::BF16:
      return "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16";
    case Scalar::F32:
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT32";
    case Scalar::F64:
      return "CU_TENSOR_MAP_DATA_TYPE_FLOAT64";
    default:
      break;
  }
  // Bits that are moved as they are.
  switch (byteWidth(scalar)) {
    case 1:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT8";
    case 2:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT16";
    case 4:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT32";
    case 8:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT64";
    default:
      T2C_UNREACHABLE("TMA has no elements of this size");
  }
}

// An extent of the array. One that is not known is MAX_EXTENT of the device helpers.
Expr extentOf(const Value *extent, const Kernel &kernel) {
  if (constantInt(extent) != passes::kMaxExtent) return shortHostExpr(extent, kernel);
  return binary(Prec::Additive, "-", word("INT_MAX"), integer(INT_MAX - passes::kMaxExtent));
}

// {stride * 2, ...}, in bytes
Expr byteStrides(const Op *map, const Kernel &kernel) {
  const unsigned rank = map->getInt(Attr::rank);
  const Expr bytes = literal(Scalar::I64, int64_t{byteWidth(map->operand(0)->type.scalar())});
  std::vector<Expr> strides;
  for (unsigned d = 1; d < rank; ++d)
    strides.push_back(product(hostExpr(map->operand(rank + d), kernel), bytes));
  return list(strides);
}

}  // namespace

Expr tensorMapCall(const Op *map, const Kernel &kernel) {
  const unsigned rank = map->getInt(Attr::rank);
  const Scalar scalar = map->operand(0)->type.scalar();
  std::vector<Expr> extents, box;
  for (unsigned d = 0; d < rank; ++d) extents.push_back(extentOf(map->operand(1 + d), kernel));
  for (int64_t size : map->getInts(Attr::box)) box.push_back(integer(size));
  if (map->has(Attr::row_dim)) {
    Expr &rows = box[map->getInt(Attr::row_dim)];
    rows = binary(Prec::Multiplicative, "/", rows, named(localName(kernel, "cluster")));
  }
  const int64_t row = map->getInts(Attr::box).front() * byteWidth(scalar);
  return call("tile2cu::make_tensor_map",
              {addressOf(named(Symbol(map->result()->name))), word(dataType(scalar)),
               hostExpr(map->operand(0), kernel), list(extents), byteStrides(map, kernel),
               list(box), integer(row)});
}

Expr crossesLines(const Op *map, const Kernel &kernel) {
  return call("tile2cu::crosses_lines",
              {hostExpr(map->operand(0), kernel), byteStrides(map, kernel)});
}

std::vector<Expr> tensorSizes(const Kernel &kernel, llvm::ArrayRef<Parameter> parameters) {
  std::vector<Expr> sizes;
  for (const Op *map : tensorMaps(kernel))
    for (unsigned i = 1; i < map->numOperands(); ++i) {
      if (constantInt(map->operand(i))) continue;
      addOnce(sizes, shortHostExpr(map->operand(i), parameters));
    }
  return sizes;
}

}  // namespace tile2cu::emit
