// What a block of a kernel needs, how many blocks fit on a multiprocessor, and the roofline.

// Limits of a multiprocessor (CUDA C++ Programming Guide) and peaks of the whole GPU (data sheets):
// memory in GB/s, arithmetic in float and dots of 16-bit floats (dense) in TFLOP/s.
const kGpus = [
  {
    name: "A100 80 GB (sm_80)",
    threads: 2048,
    blocks: 32,
    shared: 167936,
    memory: 2039,
    float: 19.5,
    dot: 312
  },
  {
    name: "H100 SXM (sm_90)",
    threads: 2048,
    blocks: 32,
    shared: 233472,
    memory: 3352,
    float: 66.9,
    dot: 989
  },
  {
    name: "H200 (sm_90)",
    threads: 2048,
    blocks: 32,
    shared: 233472,
    memory: 4800,
    float: 66.9,
    dot: 989
  },
  {
    name: "RTX 4090 (sm_89)",
    threads: 1536,
    blocks: 24,
    shared: 102400,
    memory: 1008,
    float: 82.6,
    dot: 165
  },
  {name: "T4 (sm_75)", threads: 1024, blocks: 16, shared: 65536, memory: 320, float: 8.1, dot: 65},
];
const kRegistersOfSm = 65536, kReservedShared = 1024, kSharedStep = 128, kWarpRegisterStep = 256;

function roundUp(value, step) {
  return Math.ceil(value / step) * step;
}

// The blocks that fit on a multiprocessor, and what limits them.
function occupancy(gpu, threads, registers, shared) {
  const warps = Math.ceil(threads / 32);
  const limits = [
    [gpu.blocks, "the number of blocks"],
    [Math.floor(gpu.threads / (warps * 32)), "the number of threads"],
    [
      Math.floor(kRegistersOfSm / (warps * roundUp(registers * 32, kWarpRegisterStep))), "registers"
    ],
    [Math.floor(gpu.shared / (roundUp(shared, kSharedStep) + kReservedShared)), "shared memory"],
  ];
  const blocks = Math.min(...limits.map(([count]) => count));
  return {
    blocks,
    limit: limits.find(([count]) => count === blocks)[1],
    warps: blocks * warps,
    most: gpu.threads / 32
  };
}

// The bytes, flops and flops of dots of one program, where loop i runs iterations[i] times.
function workOf(work, iterations) {
  const times = loop => loop < 0 ? 1 : iterations[loop] * times(work.loops[loop].around);
  const total = {bytes: 0, flops: 0, dots: 0};
  for (const item of work.items) {
    total.bytes += item.bytes * times(item.loop);
    total.flops += item.flops * times(item.loop);
    if (item.isDot) total.dots += item.flops * times(item.loop);
  }
  return total;
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A number of three digits with a prefix: 1.05 M
function short(value) {
  const prefixes = ["", " k", " M", " G", " T"];
  let i = 0;
  while (value >= 1000 && i + 1 < prefixes.length) {
    value /= 1000;
    ++i;
  }
  return `${Number(value.toPrecision(3))}${prefixes[i]}`;
}

class ResourceView {
  constructor(page, panel) {
    this.page = page;
    this.kernel = choice("Kernel", page.kernels.map(kernelTitle), () => this.chooseKernel());
    this.gpu = choice("GPU", kGpus.map(gpu => gpu.name), () => this.draw());
    const isHopper = page.targets.some(target => target.startsWith("sm_90"));
    this.gpu.select.value = isHopper ? "1" : "0";
    this.registers = element("input", {type: "number", min: "16", max: "255", value: "64"});
    this.registers.addEventListener("input", () => this.draw());
    this.loops = element("div", {class: "controls"});
    this.result = element("div", {"aria-live": "polite"});
    panel.append(
        element(
            "div", {class: "bar"},
            element(
                "p", {},
                "The room that a block takes on a multiprocessor, and what limits its speed.")),
        element(
            "div", {class: "picture", tabindex: "0", role: "group", "aria-label": "Resources"},
            element(
                "div", {class: "controls"}, this.kernel.box, this.gpu.box,
                element("label", {class: "control"}, "registers of a thread", this.registers)),
            element(
                "p", {class: "note"},
                "The number of registers is an example until you enter the one that nvcc prints with -Xptxas -v."),
            this.loops, this.result));
    this.chooseKernel();
  }

  chooseKernel() {
    this.of = this.page.kernels[Number(this.kernel.select.value) || 0];
    this.loops.replaceChildren();
    if (!this.of) return;
    const {work} = this.of;
    this.iterations = work.loops.map(loop => loop.iterations ?? 16);
    work.loops.forEach((loop, i) => {
      if (loop.iterations !== undefined) return;
      const input = element("input", {type: "number", min: "0", max: "1000000", value: "16"});
      input.addEventListener("input", () => {
        this.iterations[i] = Math.max(0, Math.floor(Number(input.value)) || 0);
        this.draw();
      });
      this.loops.append(element(
          "label", {class: "control"}, `iterations of the loop in line ${loop.line}`, input));
    });
    this.draw();
  }

  draw() {
    const kernel = this.of;
    if (!kernel) return this.result.replaceChildren(element("p", {}, "There is no kernel."));
    const gpu = kGpus[Number(this.gpu.select.value) || 0];
    const registers = Math.min(255, Math.max(16, Number(this.registers.value) || 64));
    const fit = occupancy(gpu, kernel.threads, registers, kernel.sharedBytes);
    const work = workOf(kernel.work, this.iterations);
    const perByte = work.bytes > 0 ? work.flops / work.bytes : 0;
    const peak = work.dots * 2 > work.flops ? gpu.dot : gpu.float;
    const bound = Math.min(peak, perByte * gpu.memory / 1000);
    const row = (what, value) =>
        element("tr", {}, element("th", {scope: "row"}, what), element("td", {}, value));
    const blocks = fit.blocks === 0 ?
        `none: ${fit.limit}` :
        `${fit.blocks}, limited by ${fit.limit}; ${fit.warps} of ${fit.most} warps`;
    const room = `${kRegistersOfSm} registers, ${gpu.shared} bytes of shared memory`;
    this.result.replaceChildren(
        element(
            "table", {}, element("caption", {}, "A block"),
            element(
                "tbody", {},
                row("threads",
                    `${kernel.threads}${
                        kernel.programsPerBlock > 1 ? `, for ${kernel.programsPerBlock} programs` :
                                                      ""}`),
                row("shared memory", `${kernel.sharedBytes} bytes`),
                row("registers", String(registers * kernel.threads)),
                row("a multiprocessor has", room), row("blocks on a multiprocessor", blocks))),
        element(
            "table", {}, element("caption", {}, "A program, counted by the compiler"),
            element(
                "tbody", {}, row("global memory", `${short(work.bytes)}B`),
                row("float operations",
                    `${short(work.flops)}FLOP${
                        work.dots ?
                            `, ${short(work.dots)}FLOP of them in products on tensor cores` :
                            ""}`),
                row("operations for each byte", perByte.toPrecision(3)))),
        element(
            "p", {class: "note"},
            "Elements that a mask leaves out and both sides of branches are counted. Loads that hit in a cache are counted as if they did not."),
        element("h2", {}, "Roofline"), this.roofline(gpu, perByte, peak, bound),
        element(
            "p", {},
            work.flops === 0 ?
                "No float arithmetic: the memory alone limits the kernel." :
                bound < peak ?
                `At ${
                    perByte.toPrecision(
                        3)} operations for each byte, the spot is on the slope, which is the speed of the memory (${
                    gpu.memory} GB/s): ` +
                    `${bound.toPrecision(3)} TFLOP/s of ${peak} if every byte comes from there. ` +
                    "What other programs have left in the cache makes it faster." :
                `At ${
                    perByte.toPrecision(
                        3)} operations for each byte, the spot is on the flat part, which is the arithmetic: at most ${
                    peak} TFLOP/s.`));
  }

  // Both axes are logarithmic: operations for each byte, and TFLOP/s.
  roofline(gpu, perByte, peak, bound) {
    const width = 520, height = 240, left = 46, bottom = 34;
    const x = value => left + (Math.log10(Math.max(value, 0.01)) + 2) / 6 * (width - left - 24);
    const y = value =>
        height - bottom - (Math.log10(Math.max(value, 0.01)) + 2) / 6 * (height - bottom - 10);
    const knee = peak * 1000 / gpu.memory,
          picture = svg("svg", {
            viewBox: `0 0 ${width} ${height}`,
            role: "img",
            class: "roofline",
            "aria-label": `Roofline of ${gpu.name}: ${
                perByte.toPrecision(
                    3)} operations for each byte, at most ${bound.toPrecision(3)} TFLOP/s`
          });
    for (let power = -2; power <= 4; ++power) {
      picture.append(
          svg("line",
              {x1: x(10 ** power), x2: x(10 ** power), y1: 10, y2: height - bottom, class: "grid"}),
          svg("line",
              {x1: left, x2: width - 24, y1: y(10 ** power), y2: y(10 ** power), class: "grid"}),
          svg("text", {x: x(10 ** power), y: height - bottom + 14, "text-anchor": "middle"},
              String(10 ** power)),
          svg("text", {x: left - 5, y: y(10 ** power) + 4, "text-anchor": "end"},
              String(10 ** power)));
    }
    picture.append(
        svg("polyline", {
          points: `${x(0.01)},${y(0.01 * gpu.memory / 1000)} ${x(knee)},${y(peak)} ${x(1e4)},${
              y(peak)}`,
          class: "roof"
        }),
        svg("circle", {cx: x(perByte), cy: y(bound), r: 5, class: "spot"}),
        svg("text", {x: width - 10, y: height - 4, "text-anchor": "end"},
            "operations for each byte"),
        svg("text", {x: left + 4, y: 20}, "TFLOP/s"));
    return picture;
  }
}

if (typeof module !== "undefined") module.exports = {occupancy, workOf, kGpus};
