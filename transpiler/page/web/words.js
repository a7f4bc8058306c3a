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
    "A group of warps that starts together on one multiprocessor. Its threads have a piece of shared memory in common, and can wait for each other. A program is a block; only programs of one warp may share one."
  ],
  [
    "multiprocessor",
    "One of the many processors of a GPU. It runs as many blocks at a time as its registers and its shared memory have room for. While one warp waits for memory, others compute: the more warps there are (occupancy), the less time is lost."
  ],
  ["layout", "Which thread holds which element of a tile, and in which register."],
  [
    "vector",
    "Neighbouring elements, at most 16 bytes, that one thread loads or stores with one instruction."
  ],
  [
    "global memory",
    "The large memory of the GPU. It is moved in sectors of 32 bytes, so each byte of a sector that no lane uses is wasted. Four sectors are a line of 128 bytes, for which the cache has one entry."
  ],
  [
    "coalesced",
    "An access is coalesced if the lanes of a warp together use all bytes of the sectors that they touch."
  ],
  [
    "shared memory",
    "A small fast memory of a block. Threads of the block exchange elements through it."
  ],
  [
    "bank conflict",
    "Word i of shared memory, of 4 bytes, is in bank i % 32. Each bank gives one word at a time, so lanes that need different words of one bank wait for each other. The same word goes to all lanes that need it at once."
  ],
  [
    "swizzle",
    "An order of the 16-byte chunks of each row in shared memory that differs from row to row. So the chunks of a column are in different banks, and reading a column has no conflict. (swizzle2d in a source is another thing: the order in which programs take tiles.)"
  ],
  [
    "barrier",
    "__syncthreads(): no thread of the block goes on until all threads of the block have come to it; other blocks do not wait. It is needed before a thread reads what others wrote to shared memory, and before it overwrites what others may still read."
  ],
  [
    "shuffle",
    "An instruction with which a lane reads a register of another lane of its warp, without memory. Reductions of a warp use it."
  ],
  [
    "reduction",
    "One value of many: a sum or a maximum. Each thread combines its own elements. Then the lanes of a warp combine theirs in 5 shuffles: in each, a lane reads the value of a partner, 16, 8, 4, 2 and 1 lanes away. If several warps share a row, each writes its value to shared memory, and after a barrier every thread combines these. In the end every thread has the result."
  ],
  [
    "tensor cores",
    "Units that multiply small matrices. One instruction of a warp multiplies, for example, 16 x 16 by 16 x 8 elements; its fragments are distributed over the lanes in a fixed layout."
  ],
  [
    "pipeline, stage",
    "Copies from global memory for later iterations of a loop run while the loop computes with the data that have come, so that it does not wait for memory. Each of the buffers that take turns is a stage."
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
