#include "async_proxy.h"

#include "builtins.h"

namespace emulate {

void AsyncProxy::beginBlock(unsigned threads) {
  chunks_.resize(SMEM_ROOM / CHUNK);
  written_.resize(SMEM_ROOM / 4);
  fences_.assign(threads, 0);
  ++block_;
  if (in_flight_ == 0) return;
  chunks_.assign(chunks_.size(), Use{});  // of a block that was stopped
  in_flight_ = 0;
}

void AsyncProxy::wrote(std::uint32_t offset, std::uint32_t bytes, unsigned thread, Site site) {
  for (std::uint32_t w = offset / 4; w <= (offset + bytes - 1) / 4 && w < written_.size(); ++w) {
    written_[w] = {block_, fences_[thread], std::uint16_t(thread), site};
  }
}

const AsyncProxy::Use* AsyncProxy::search(std::uint32_t offset, std::uint32_t bytes,
                                          bool writes) const {
  const std::uint32_t last = (offset + bytes - 1) / CHUNK;
  for (std::uint32_t c = offset / CHUNK; c <= last && c < chunks_.size(); ++c) {
    if (chunks_[c].writes > 0 || (writes && chunks_[c].reads > 0)) return &chunks_[c];
  }
  return nullptr;
}

void AsyncProxy::startRead(std::uint32_t offset, Site site) {
  Use& use = chunks_[offset / CHUNK];
  ++use.reads;
  ++in_flight_;
  use.site = site;
}

void AsyncProxy::endRead(std::uint32_t offset) {
  --chunks_[offset / CHUNK].reads;
  --in_flight_;
}

void AsyncProxy::startWrite(std::uint32_t offset, Site site) {
  Use& use = chunks_[offset / CHUNK];
  ++use.writes;
  ++in_flight_;
  use.site = site;
}

void AsyncProxy::endWrite(std::uint32_t offset) {
  --chunks_[offset / CHUNK].writes;
  --in_flight_;
  for (std::uint32_t w = offset / 4; w < (offset + CHUNK) / 4; ++w) written_[w] = {};
}

const AsyncProxy::Write* AsyncProxy::unfenced(std::uint32_t offset) const {
  for (std::uint32_t w = offset / 4; w < (offset + CHUNK) / 4; ++w) {
    const Write& write = written_[w];
    if (write.block == block_ && fences_[write.thread] == write.fences) return &write;
  }
  return nullptr;
}

}  // namespace emulate
