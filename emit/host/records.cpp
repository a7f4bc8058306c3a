#include "emit/host/records.h"

#include "emit/spelling/cuda_scalar.h"

namespace tile2cu::emit {
using namespace ir;

Struct structOf(const ir::Record &record) {
  Struct result;
  result.comment = record.comment;
  result.name = Symbol(record.name);
  for (const ir::Record::Member &member : record.members) {
    Declarator declarator{Symbol(member.name), {}, {}};
    for (const int64_t extent : member.extents) declarator.extents.push_back(integer(extent));
    if (!member.init.empty()) declarator.init = word(member.init);
    const Expr type = member.record.empty() ? typeOf(member.type) : word(member.record);
    result.members.push_back({Declare{type, {std::move(declarator)}}, member.comment});
  }
  return result;
}

}  // namespace tile2cu::emit
