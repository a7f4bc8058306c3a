// Rings of stages in shared memory: the waits of their readers, and the warp that fills them by bulk copies.
#include "emit/lower/cuda_scalar.h"
#include "emit/lower/lower_kernel.h"
#include "emit/transform/drop_unused.h"
#include "passes/ir/diagnostics/diagnostics.h"

namespace tile2cu::emit {
using namespace ir;

namespace {

std::string prefixed(const SharedRing &ring, const char *name) {
  return ring.name.empty() ? name : ring.name + "_" + name;
}

}  // namespace

std::string KernelEmitter::ringName(const Op *op) {
  return prefixed(kernel_.rings[op->getInt(Attr::ring)], "ring");
}

// smem.full[stage], smem.empty[stage]
std::string KernelEmitter::ringBarrier(const Op *op, const char *which, const std::string &stage) {
  return "smem." + prefixed(kernel_.rings[op->getInt(Attr::ring)], which) + "[" + stage + "]";
}

// The bytes that one filling of a stage brings.
std::string KernelEmitter::ringBytes(const SharedRing &ring, const std::string &stage) {
  std::string text;
  for (int64_t i : ring.buffers) {
    const SharedBuffer &buffer = kernel_.shared[i];
    text += (text.empty() ? "" : " + ") + std::string("sizeof(smem.") + buffer.name +
            (buffer.stages > 1 ? "[" + stage + "])" : ")");
  }
  return text;
}

// const int stage = ring.take(smem.full);
void KernelEmitter::nextStage(Op *op, const char *method, const char *barrier,
                              const std::string &why) {
  const std::string stage = names_.take(op->result()->name);
  line("");
  line("const int " + stage + " = " + ringName(op) + "." + method + "(smem." +
       prefixed(kernel_.rings[op->getInt(Attr::ring)], barrier) + ");  // " + why);
  remember(op->result(), primary(stage));
}

void KernelEmitter::ringOp(Op *op) {
  const SharedRing &ring = kernel_.rings[op->getInt(Attr::ring)];
  switch (op->kind) {
    case OpKind::RingFill: {
      nextStage(op, "refill", "empty", "it has been read");
      const std::string stage = scalar(op->result()).str();
      line("tile2cu::barrier_expect(" + ringBarrier(op, "full", stage) + ", " +
           ringBytes(ring, stage) + ");");
      return;
    }
    case OpKind::RingTake:
      nextStage(op, "take", "full", "its copies have landed");
      return;
    case OpKind::RingRelease: {
      const std::string stage = scalar(op->operand(0)).str();
      const Op *taken = op->operand(0)->definition;
      // Else -1 where there is none. Behind a loop there is one, but without the branch ptxas (13.0) moves reads of the sums up
      // to where they are in flight, and then serializes the products.
      const bool isTaken = taken && taken->kind == OpKind::RingTake;
      const bool paired = op->getBool(Attr::paired);
      if (op->getBool(Attr::sync)) line("__syncwarp();  // all of its lanes have");
      line(std::string("if (lane ") + (paired ? "< BLOCKS" : "== 0") +
           (isTaken ? "" : " && " + stage + " >= 0") + ") tile2cu::barrier_arrive" +
           (paired ? "_at<BLOCKS>(" : "(") + ringBarrier(op, "empty", stage) +
           (paired ? ", lane" : "") + ");  // this warp has read it");
      return;
    }
    default:
      tensorCopy(op);
  }
}

// Calls `copy` with where each panel of a shared tile stands, from `row` on if that is given, and where it begins along the
// array's first dimension.
void KernelEmitter::forPanels(
    const SharedBuffer &buffer, const std::string &stage, const std::string &row, const Expr &first,
    llvm::function_ref<void(const std::string &place, const std::string &start)> copy) {
  const int64_t panels = buffer.shape.back() / buffer.panel;
  const std::string tile = "smem." + buffer.name + (buffer.stages > 1 ? "[" + stage + "]" : ""),
                    width = std::to_string(buffer.panel),
                    rows = row.empty() ? "" : row + " * " + width;
  if (panels == 1) return copy(rows.empty() ? tile : "&" + tile + "[" + rows + "]", first.str());
  names_.open();
  const std::string panel = names_.take("panel");
  line("#pragma unroll");
  line("for (int " + panel + " = 0; " + panel + " < " + std::to_string(panels) + "; ++" + panel +
       ") {");
  copy("&" + tile + "[" + panel + " * (" + number(buffer.shape.front()).str() + " * " + width +
           ")" + (rows.empty() ? "" : " + " + rows) + "]",
       sum(first, product(primary(panel), primary(width))).str());
  line("}");
  names_.close();
}

void KernelEmitter::tensorCopy(Op *op) {
  statementComment(op);
  const std::string stage = scalar(op->operand(1)).str();
  if (op->getBool(Attr::paired)) return copyPart(op, stage);
  std::string rest;
  for (unsigned i = 3; i < op->numOperands(); ++i) rest += ", " + scalar(op->operand(i)).str();
  forPanels(kernel_.shared[op->getInt(Attr::buffer)], stage, "", scalar(op->operand(2)),
            [&](const std::string &place, const std::string &start) {
              line("tile2cu::tma_load(" + place + ", " + scalar(op->operand(0)).str() + ", " +
                   ringBarrier(op, "full", stage) + ", " + start + rest + ");");
            });
}

// Of the rows, the part that this block brings to all of the cluster: half of them, or all if it is by itself.
void KernelEmitter::copyPart(Op *op, const std::string &stage) {
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const std::string row = names_.take("part");
  line("const int " + row + " = tile2cu::cluster_rank<BLOCKS>() * (" +
       number(buffer.shape.front()).str() + " / BLOCKS);  // its first row");
  std::string rest;
  for (unsigned i = 3; i < op->numOperands(); ++i) {
    Expr start = scalar(op->operand(i));
    if (i == op->getInt(Attr::row_dim) + 2) start = sum(start, primary(row));
    rest += ", " + start.str();
  }
  forPanels(buffer, stage, row, scalar(op->operand(2)),
            [&](const std::string &place, const std::string &start) {
              line("tile2cu::tma_load_all<BLOCKS>(" + place + ", " + scalar(op->operand(0)).str() +
                   ", " + ringBarrier(op, "full", stage) + ", " + start + rest + ");");
            });
}

void KernelEmitter::tensorCopyOut(Op *op) {
  const SharedBuffer &buffer = kernel_.shared[op->getInt(Attr::buffer)];
  const int64_t rows = op->getInt(Attr::rows);
  statementComment(op);
  names_.open();
  std::string row;
  if (rows) {
    // The warp's rows: all that it wrote.
    line("tile2cu::fence_async_proxy();  // bulk copies see what this thread wrote");
    line("__syncwarp();  // all that its lanes wrote");
    row = names_.take("row");
  }
  const int64_t all = buffer.shape.front();
  const bool once = rows * kernel_.options.numWarps == all;
  line("if (" + (rows ? std::string("lane == 0") : loneThread().str()) + ") {");
  if (rows && once) line("const int " + row + " = warp * " + std::to_string(rows) + ";");
  if (rows && !once)
    line("for (int " + row + " = warp * " + std::to_string(rows) + "; " + row + " < " +
         number(all).str() + "; " + row + " += NUM_WARPS * " + std::to_string(rows) + ") {");
  std::string rest;
  for (unsigned i = 2; i < op->numOperands(); ++i) {
    Expr start = scalar(op->operand(i));
    if (rows && i == op->getInt(Attr::row_dim) + 1) start = sum(start, primary(row));
    rest += ", " + start.str();
  }
  forPanels(buffer, "", row, scalar(op->operand(1)),
            [&](const std::string &place, const std::string &start) {
              line("tile2cu::tma_store(" + scalar(op->operand(0)).str() + ", " + place + ", " +
                   start + rest + ");");
            });
  if (rows && !once) line("}");
  line("tile2cu::tma_store_commit();");
  line("}");
  names_.close();
}

// tile2cu::ring<STAGES> ring;
std::string KernelEmitter::ringVariables() {
  std::string text;
  for (const SharedRing &ring : kernel_.rings)
    text += "tile2cu::ring<" + stagesName(ring.stages) + "> " + prefixed(ring, "ring") + ";\n";
  return text;
}

// Their barriers, as members of struct Smem.
std::string KernelEmitter::ringMembers() {
  std::string text;
  for (const SharedRing &ring : kernel_.rings) {
    const std::string extent = "[" + stagesName(ring.stages) + "];  // ";
    text += "tile2cu::barrier " + prefixed(ring, "full") + extent +
            "the copies into a stage have landed\n";
    text += "tile2cu::barrier " + prefixed(ring, "empty") + extent + "all warps have read it\n";
  }
  return text;
}

bool KernelEmitter::isPaired(const SharedRing &ring) const {
  bool paired = false;
  walk(*kernel_.producer, [&](const Op *op) {
    paired |= op->kind == OpKind::TensorCopy && op->getBool(Attr::paired) &&
              &kernel_.rings[op->getInt(Attr::ring)] == &ring;
  });
  return paired;
}

// What one thread does before all others: the barriers.
std::string KernelEmitter::ringStart() {
  std::string text;
  for (const SharedRing &ring : kernel_.rings) {
    const bool loop = ring.stages > 1;
    const std::string stage = loop ? "stage" : "0";
    if (loop) text += "for (int stage = 0; stage < " + stagesName(ring.stages) + "; ++stage) {\n";
    text += "tile2cu::barrier_init(smem." + prefixed(ring, "full") + "[" + stage +
            "], 1);  // the producer, and the bytes that it announces\n";
    text += "tile2cu::barrier_init(smem." + prefixed(ring, "empty") + "[" + stage +
            (isPaired(ring) ? "], NUM_WARPS * BLOCKS);  // each warp that reads them\n"
                            : "], NUM_WARPS);  // each warp that reads them\n");
    if (loop) text += "}\n";
  }
  return text;
}

void KernelEmitter::writeProducer(KernelText &text) {
  for (unsigned i = 0; i < kernel_.parameters.size(); ++i)
    remember(kernel_.producer->argument(i), primary(kernel_.parameters[i].name));
  text_.constants = text.constants;
  for (const Constant &constant : text.constants) names_.reserve(constant.name);
  const std::string rings = ringVariables();
  block(*kernel_.producer);
  bool isFirst = true;
  for (const SharedRing &ring : kernel_.rings) {
    if (!isPaired(ring)) continue;
    if (isFirst) line("");
    line("if (BLOCKS > 1) tile2cu::drain(" + prefixed(ring, "ring") + ", smem." +
         prefixed(ring, "empty") + ");" +
         (isFirst ? "  // arrivals of the other block need this one" : ""));
    isFirst = false;
  }
  out_ = dropUnused(out_, scalarsDeclared_);
  text.producer = rings + out_;
  text.constants = text_.constants;
  text.helpers.insert(text_.helpers.begin(), text_.helpers.end());
}

}  // namespace tile2cu::emit
