#include "emit/host/tensor_maps.h"

#include "emit/host/host_expr.h"
#include "emit/lower/cuda_scalar.h"
#include "emit/transform/merge_kernels.h"
#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "passes/ir/builder.h"

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
    default:
      return "CU_TENSOR_MAP_DATA_TYPE_UINT64";
  }
}

std::string joined(llvm::ArrayRef<std::string> parts) {
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

}  // namespace

std::string tensorMapCall(const Op *map, const Kernel &kernel, UsedWords &words) {
  const unsigned rank = map->getInt(Attr::rank);
  const Scalar scalar = map->operand(0)->type.scalar();
  const int64_t bytes = byteWidth(scalar);
  std::vector<std::string> extents, strides, box;
  for (unsigned d = 0; d < rank; ++d)
    extents.push_back(words.use(shortHostExpr(map->operand(1 + d), kernel)));
  for (unsigned d = 1; d < rank; ++d) {
    Expr stride = hostExpr(map->operand(rank + d), kernel);
    strides.push_back(words.use(product(stride, literal(Scalar::I64, bytes))));
  }
  for (int64_t size : map->getInts(Attr::box)) box.push_back(std::to_string(size));
  if (map->has(Attr::row_dim))
    box[map->getInt(Attr::row_dim)] += " / " + localName(kernel, "cluster");
  const int64_t row = map->getInts(Attr::box).front() * bytes;
  return fmt::format("{}(&{}, {}, {}, {}, {}, {}, {})", words.use("tile2cu::make_tensor_map"),
                     map->result()->name, dataType(scalar),
                     words.use(hostExpr(map->operand(0), kernel)), joined(extents), joined(strides),
                     joined(box), row);
}

std::string linesText(const Op *map, const Kernel &kernel, UsedWords &words) {
  const unsigned rank = map->getInt(Attr::rank);
  const int64_t bytes = byteWidth(map->operand(0)->type.scalar());
  std::vector<std::string> strides;
  for (unsigned d = 1; d < rank; ++d)
    strides.push_back(
        words.use(product(hostExpr(map->operand(rank + d), kernel), literal(Scalar::I64, bytes))));
  return fmt::format("{}({}, {})", words.use("tile2cu::crosses_lines"),
                     words.use(hostExpr(map->operand(0), kernel)), joined(strides));
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
