// operator new and delete for a program that runs for a moment and allocates small blocks by the hundred thousand: pages of
// blocks of one size, and for each size a list of those that were given back. Nothing goes back to the system. Large blocks
// are malloc's.
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#if !__has_feature(address_sanitizer)

namespace {

constexpr size_t kGrain = 16, kLargest = 1024, kPage = 16 << 10, kRegion = size_t{256} << 20;

struct FreeBlock {
  FreeBlock *next;
};
// Blocks of one size: those that were given back, and the untouched rest of the newest page.
struct Blocks {
  FreeBlock *free;
  char *rest, *end;
};

// One range of addresses for all pages tells a block's size, and whether it is one of ours.
char *region = nullptr;
uint8_t pageClass[kRegion / kPage];
std::atomic<size_t> usedPages{0};
thread_local Blocks blocksOf[kLargest / kGrain + 1];

void *orThrow(void *block) {
  if (!block) throw std::bad_alloc();
  return block;
}

// A new page for blocks of the size; false if the region is full.
bool addPage(Blocks &blocks, size_t sizeClass) {
  [[maybe_unused]] static const bool once = [] {
    void *memory = mmap(nullptr, kRegion, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    madvise(memory, kRegion, MADV_HUGEPAGE);
    region = static_cast<char *>(memory);
    return true;
  }();
  if (!region) return false;
  const size_t page = usedPages.fetch_add(1, std::memory_order_relaxed);
  if (page >= kRegion / kPage) return false;
  pageClass[page] = sizeClass;
  blocks.rest = region + page * kPage;
  blocks.end = blocks.rest + kPage / (sizeClass * kGrain) * (sizeClass * kGrain);
  return true;
}

void *allocate(size_t size) {
  const size_t sizeClass = size ? (size + kGrain - 1) / kGrain : 1;
  if (sizeClass > kLargest / kGrain) return orThrow(std::malloc(size));
  Blocks &blocks = blocksOf[sizeClass];
  if (FreeBlock *block = blocks.free) {
    blocks.free = block->next;
    return block;
  }
  if (blocks.rest == blocks.end && !addPage(blocks, sizeClass)) return orThrow(std::malloc(size));
  char *block = blocks.rest;
  blocks.rest += sizeClass * kGrain;
  return block;
}

void release(void *block) {
  const size_t offset = static_cast<char *>(block) - region;
  if (offset >= kRegion || !region) return std::free(block);
  Blocks &blocks = blocksOf[pageClass[offset / kPage]];
  blocks.free = new (block) FreeBlock{blocks.free};
}

void *allocateAligned(size_t size, std::align_val_t alignment) {
  const size_t bytes = static_cast<size_t>(alignment);
  if (bytes <= kGrain) return allocate(size);
  return orThrow(std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes));
}

}  // namespace

void *operator new(size_t size) { return allocate(size); }
void *operator new(size_t size, std::align_val_t alignment) {
  return allocateAligned(size, alignment);
}
void operator delete(void *block) noexcept { release(block); }
void operator delete(void *block, size_t) noexcept { release(block); }
void operator delete(void *block, std::align_val_t) noexcept { release(block); }
void operator delete(void *block, size_t, std::align_val_t) noexcept { release(block); }

#endif
