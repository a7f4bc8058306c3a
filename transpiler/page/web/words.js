// The words of the page, for readers who know C and no CUDA.

const kWords = [
  ["kernel", "A function that the GPU runs. The launcher starts it as many programs."],
  [
    "program",
    "One run of the tile function, with a number of its own. It computes one part of the result."
  ],
  [
    "tile",
    "An array of fixed size inside of a program, such as BLOCK elements of a row. The source computes with whole tiles; the CUDA says what each thread does."
  ],
  [
    "thread",
    "What executes the CUDA text. Each thread has registers of its own, which no other thread can read."
  ],
  [
    "warp, lane",
    "A warp is 32 threads that execute each instruction together. The lane is the number of a thread in its warp, 0 to 31."
  ],
  [
    "block",
    "The warps that run on one multiprocessor together and share its shared memory. Mostly a program is a block; several programs of one warp can share one."
  ],
  [
    "multiprocessor",
    "A GPU has many, and each runs several blocks at a time. While one warp waits for memory, others compute: the more warps there are (occupancy), the less time is lost."
  ],
  ["layout", "Which thread holds which element of a tile, and in which register."],
  [
    "vector",
    "Neighbouring elements, at most 16 bytes, that one thread loads or stores with one instruction."
  ],
  [
    "global memory",
    "The large memory of the GPU. It is moved in sectors of 32 bytes, so each byte of a sector that no lane uses is wasted."
  ],
  [
    "coalesced",
    "An access in which the lanes of a warp use neighbouring bytes, so that the sectors they touch are used completely."
  ],
  [
    "shared memory",
    "A small fast memory of a block. Threads of the block exchange elements through it."
  ],
  [
    "bank conflict",
    "Shared memory has 32 banks, and each gives one word of 4 bytes at a time. Lanes that need different words of one bank wait for each other."
  ],
  [
    "swizzle",
    "An order of the 16-byte chunks of each row in shared memory that differs from row to row. So the chunks of a column are in different banks, and reading a column has no conflict."
  ],
  [
    "barrier",
    "__syncthreads(): the threads of a block wait until all of them are there, for example before they read what others have written to shared memory."
  ],
  [
    "shuffle",
    "An instruction with which a lane reads a register of another lane of its warp, without memory. Reductions of a warp use it."
  ],
  [
    "reduction",
    "One value of many: a sum or a maximum. Each thread combines its own elements, then the lanes of a warp theirs, then the warps theirs."
  ],
  [
    "tensor cores",
    "Units that multiply small matrices. One instruction of a warp multiplies, for example, 16 x 16 by 16 x 8 elements; its fragments are distributed over the lanes in a fixed layout."
  ],
  [
    "pipeline, stage",
    "Copies of data for later iterations of a loop run while the loop computes with those that have come. Each buffer in flight is a stage."
  ],
  [
    "TMA",
    "A unit of Hopper GPUs that copies whole tiles between global and shared memory. One thread starts the copy."
  ],
  [
    "roofline",
    "The upper limit of a kernel's speed: the peak of the arithmetic, or the peak of the memory times the operations for each byte, whichever is lower."
  ],
];

class WordView {
  constructor(panel) {
    panel.append(element(
        "dl", {class: "picture", tabindex: "0"},
        ...kWords.flatMap(([word, text]) => [element("dt", {}, word), element("dd", {}, text)])));
  }
}
