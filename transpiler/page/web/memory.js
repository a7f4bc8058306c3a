// Memory: the lines and sectors of global memory that an instruction of a warp touches, and the
// banks of shared memory.

const kLineBytes = 128, kSectorBytes = 32, kWordBytes = 4, kBanks = 32, kChunkBytes = 16;

// The number of elements between neighbours along a dimension; `values` has those of names.
function strideOf(stride, values) {
  return stride.names.reduce((all, name) => all * values[name], stride.factor);
}

// The bytes that each lane of a warp touches in one instruction: [first, end), or null if the lane
// has only padding there. The first element of the tile is at byte `start`.
function touchedBytes(access, layout, values, start, warp, instruction) {
  const touched = [];
  for (let lane = 0; lane < kLanes; ++lane) {
    const at =
        coordinates(layout, registerIndices(layout, instruction * access.vector), lane, warp);
    if (!at.every((x, d) => x < layout.dims[d].size)) {
      touched.push(null);
      continue;
    }
    const element = at.reduce((sum, x, d) => sum + x * strideOf(access.strides[d], values), 0);
    const first = start + element * access.bytes;
    touched.push([first, first + access.vector * access.bytes]);
  }
  return touched;
}

// What the memory system moves for these lanes: {lines, sectors, useful}, of which `useful` counts
// the bytes that a lane asked for, each once.
function trafficOf(touched) {
  const lines = new Set(), sectors = new Set(), bytes = new Set();
  for (const range of touched) {
    if (!range) continue;
    for (let byte = range[0]; byte < range[1]; ++byte) {
      bytes.add(byte);
      sectors.add(Math.floor(byte / kSectorBytes));
      lines.add(Math.floor(byte / kLineBytes));
    }
  }
  return {lines: [...lines].sort((a, b) => a - b), sectors, useful: bytes.size};
}

// Where the 16-byte chunk `chunk` of a row of shared memory is, in bytes: tile2cu::swizzle.
function chunkPlace(row, chunk, chunks, isSwizzled) {
  const period = chunks % 8 === 0 ? 8 : chunks % 4 === 0 ? 4 : chunks % 2 === 0 ? 2 : 1;
  const moved = isSwizzled ? chunk ^ Math.floor(row / (8 / period)) % period : chunk;
  return (row * chunks + moved) * kChunkBytes;
}

// How many rounds shared memory needs to read 16 bytes at each of these places: each bank gives one
// word a round.
function bankRounds(places) {
  const words = Array.from({length: kBanks}, () => new Set());
  for (const place of places)
    for (let byte = 0; byte < kChunkBytes; byte += kWordBytes) {
      const word = (place + byte) / kWordBytes;
      words[word % kBanks].add(word);
    }
  return Math.max(...words.map(bank => bank.size));
}

function laneColour(lane) {
  return `light-dark(hsl(${lane * 360 / kLanes} 65% 82%), hsl(${lane * 360 / kLanes} 40% 28%))`;
}

class MemoryView {
  constructor(page, panel) {
    this.page = page;
    this.kernel = choice("Kernel", page.kernels.map(kernelTitle), () => this.chooseKernel());
    this.accessBox = element("span");
    this.strideBox = element("span", {class: "controls"});
    this.warp = new Slider("warp", () => this.drawGlobal());
    this.instruction = new Slider("instruction", () => this.drawGlobal());
    this.start = new Slider(
        "where the access begins: bytes after the start of a line", () => this.drawGlobal());
    this.global = element("div", {class: "scrolled", "aria-live": "polite"});
    this.bufferBox = element("span");
    this.chunk = new Slider("column of chunks", () => this.drawShared());
    this.swizzle = element("input", {type: "checkbox"});
    this.swizzle.addEventListener("change", () => this.drawShared());
    this.swizzleBox = element("label", {class: "control"}, this.swizzle, " swizzle");
    this.shared = element("div", {class: "scrolled", "aria-live": "polite"});
    this.sharedControls =
        element("div", {class: "controls"}, this.bufferBox, this.chunk.box, this.swizzleBox);
    panel.append(
        element(
            "div", {class: "bar"},
            element("p", {}, "Where the bytes are, and what one instruction of a warp costs.")),
        element(
            "div", {class: "picture", tabindex: "0", role: "group", "aria-label": "Memory"},
            element("div", {class: "controls"}, this.kernel.box),
            element("h2", {}, "Global memory: lines and sectors"),
            element(
                "p", {class: "note"},
                "Global memory is read in sectors of 32 bytes; four of them are a line of 128. An access " +
                    "is coalesced if the lanes of a warp use all bytes of the sectors that they touch."),
            element(
                "div", {class: "controls"}, this.accessBox, this.warp.box, this.instruction.box,
                this.start.box),
            this.strideBox, this.global, element("h2", {}, "Shared memory: banks"),
            element(
                "p", {class: "note"},
                "Word i of shared memory, of 4 bytes, is in bank i % 32: bytes 0 to 3 in bank 0, 124 to 127 in bank " +
                    "31, 128 to 131 in bank 0 again. In one round each bank gives one word. If lanes need different " +
                    "words of one bank, each word takes a round of its own: a bank conflict."),
            this.sharedControls, this.shared));
    this.chooseKernel();
  }

  chooseKernel() {
    const kernel = this.page.kernels[Number(this.kernel.select.value) || 0];
    this.accesses = kernel ? kernel.accesses : [];
    const title = access =>
        `${access.op.replace("_", " ")}${access.name && ` ${access.name}`}, line ${access.line}`;
    const accesses = choice("Access", this.accesses.map(title), i => this.chooseAccess(i));
    this.accessBox.replaceChildren(accesses.box);
    this.buffers = kernel ? kernel.shared : [];
    const buffers = choice(
        "Buffer", this.buffers.map(buffer => `${buffer.name}[${buffer.shape.join("][")}]`),
        i => this.chooseBuffer(i));
    this.bufferBox.replaceChildren(buffers.box);
    this.chooseAccess(0);
    this.chooseBuffer(0);
  }

  chooseAccess(index) {
    this.access = this.accesses[index];
    const isKnown = this.access && this.access.strides;
    for (const box of [this.warp.box, this.instruction.box, this.start.box, this.strideBox])
      box.hidden = !isKnown;
    if (!isKnown) {
      this.global.replaceChildren(element(
          "p", {},
          this.access ?
              "The addresses of this access are not a sum of coordinates times strides, so there is no picture of them." :
              "Threads of this kernel do not access global memory by tiles of pointers: TMA does, or scalars."));
      return;
    }
    this.layout = this.page.layouts[this.access.layout];
    this.warp.set(upTo(this.layout.warps), 0);
    this.instruction.set(upTo(Math.max(1, elementsPerThread(this.layout) / this.access.vector)), 0);
    const step = Math.min(kSectorBytes, this.access.bytes * this.access.vector);
    this.start.set(upTo(kLineBytes / step).map(i => i * step), 0);
    this.values = {};
    const names = new Set(this.access.strides.flatMap(stride => stride.names));
    this.strideBox.replaceChildren(...[...names].map(name => {
      const input = element("input", {type: "number", min: "0", max: "1000000", value: "4096"});
      this.values[name] = 4096;
      input.addEventListener("input", () => {
        this.values[name] = Math.max(0, Math.floor(Number(input.value)) || 0);
        this.drawGlobal();
      });
      return element("label", {class: "control"}, `${name} =`, input);
    }));
    this.drawGlobal();
  }

  drawGlobal() {
    const {access, layout} = this;
    if (!access || !access.strides) return;
    const touched = touchedBytes(
        access, layout, this.values, this.start.value, this.warp.value, this.instruction.value);
    const {lines, sectors, useful} = trafficOf(touched);
    const lanes = touched.filter(each => each).length, kMostLines = 32;
    const moved = sectors.size * kSectorBytes;
    const words = lanes === 0 ?
        "No lane of this warp has an element here." :
        `Each of ${lanes} lanes moves ${access.vector * access.bytes} bytes (${access.vector} ` +
            `element${access.vector > 1 ? "s" : ""}). Together they touch ${lines.length} ` +
            `line${lines.length > 1 ? "s" : ""} and ${sectors.size} sector${
                sectors.size > 1 ? "s" : ""}, ` +
            `${moved} bytes, of which they use ${useful}: ${
                Math.round(100 * useful / moved)} percent` +
            (useful === moved ? ", so the access is coalesced." : ".");
    const laneAt = byte => touched.findIndex(range => range && byte >= range[0] && byte < range[1]);
    const rows = lines.slice(0, kMostLines).map(line => {
      const row = element("tr", {}, element("th", {scope: "row"}, `${line * kLineBytes}`));
      for (let sector = 0; sector < kLineBytes / kSectorBytes; ++sector) {
        const first = line * kLineBytes + sector * kSectorBytes;
        const cell =
            element("td", {class: sectors.has(first / kSectorBytes) ? "sector used" : "sector"});
        // Runs of words of one lane.
        for (let byte = first; byte < first + kSectorBytes;) {
          const lane = laneAt(byte);
          let end = byte + 1;
          while (end < first + kSectorBytes && laneAt(end) === lane) ++end;
          const run = element(
              "span", {
                style: `width:${100 * (end - byte) / kSectorBytes}%` +
                    (lane >= 0 ? `;background:${laneColour(lane)}` : "")
              },
              lane >= 0 && end - byte >= 4 ? String(lane) : "\u00a0");
          cell.append(run);
          byte = end;
        }
        row.append(cell);
      }
      return row;
    });
    const more = lines.length - rows.length;
    this.global.replaceChildren(
        element("p", {}, words),
        element(
            "table", {class: "memory"},
            element("caption", {}, "The lines that are touched; the numbers in them are lanes"),
            element(
                "thead", {},
                element(
                    "tr", {}, element("th", {scope: "col"}, "byte"),
                    ...upTo(4).map(i => element("th", {scope: "col"}, `sector ${i}`)))),
            element("tbody", {}, ...rows)),
        more > 0 ? element("p", {class: "note"}, `and ${more} more lines`) : "");
  }

  chooseBuffer(index) {
    this.buffer = this.buffers[index];
    const {buffer} = this;
    this.chunks = 0;
    if (buffer && buffer.shape.length > 1) {
      const columns = buffer.panel || buffer.shape[buffer.shape.length - 1];
      const bytes = columns * buffer.bytes;
      if (bytes % kChunkBytes === 0) this.chunks = bytes / kChunkBytes;
    }
    this.sharedControls.hidden = !buffer;
    this.chunk.box.hidden = this.swizzleBox.hidden = !this.chunks;
    this.chunk.set(upTo(this.chunks || 1), 0);
    this.swizzle.checked = Boolean(buffer && buffer.swizzled);
    this.swizzle.disabled = !(buffer && buffer.swizzled);
    this.drawShared();
  }

  drawShared() {
    const {buffer, chunks} = this;
    if (!buffer)
      return this.shared.replaceChildren(element("p", {}, "This kernel has no shared memory."));
    const size = `${buffer.name}: ${buffer.stages > 1 ? `${buffer.stages} stages of ` : ""}` +
        `${buffer.shape.join(" x ")} elements of ${buffer.bytes} bytes, ${buffer.total} bytes.`;
    if (!chunks)
      return this.shared.replaceChildren(element(
          "p", {},
          `${size} Neighbouring lanes use neighbouring words, which are in different banks.`));
    const height = Math.min(8, buffer.shape[buffer.shape.length - 2]);
    const places =
        upTo(height).map(row => chunkPlace(row, this.chunk.value, chunks, this.swizzle.checked));
    const rounds = bankRounds(places);
    const withoutSwizzle =
        bankRounds(upTo(height).map(row => chunkPlace(row, this.chunk.value, chunks, false)));
    // The words of shared memory, 32 banks a row; where they are, the chunks of the tile.
    const owner = new Map();
    for (let row = 0; row < height; ++row)
      for (let chunk = 0; chunk < chunks; ++chunk)
        owner.set(chunkPlace(row, chunk, chunks, this.swizzle.checked) / kChunkBytes, [row, chunk]);
    const perRow = kBanks * kWordBytes / kChunkBytes, count = Math.ceil(height * chunks / perRow);
    const rows = upTo(count).map(i => {
      const row = element("tr", {}, element("th", {scope: "row"}, `${i * kBanks * kWordBytes}`));
      for (let j = 0; j < perRow; ++j) {
        const held = owner.get(i * perRow + j);
        const isChosen = held && held[1] === this.chunk.value;
        row.append(element(
            "td", {class: isChosen ? "chunk chosen" : "chunk"},
            held ? `${held[0]}, ${held[1]}` : ""));
      }
      return row;
    });
    this.shared.replaceChildren(
        element("p", {}, size),
        element(
            "p", {},
            `For the tensor cores, one instruction reads the chunk of this number from ${
                height} rows: a column of chunks. ` +
                (rounds === 1 ?
                     "Here they are in different banks: one round." +
                         (this.swizzle.checked ?
                              ` A row has ${chunks * kChunkBytes} bytes; without the swizzle ${
                                  withoutSwizzle} chunks of the column would be in the same banks.` :
                              "") :
                     `Here several are in the same banks: ${rounds} rounds instead of 1.`)),
        element(
            "table", {class: "memory banks"},
            element(
                "caption", {},
                `The first ${height} rows of the tile, as chunks of 16 bytes: row, chunk`),
            element(
                "thead", {},
                element(
                    "tr", {}, element("th", {scope: "col"}, "byte"),
                    ...upTo(perRow).map(
                        j => element("th", {scope: "col"}, `banks ${4 * j}\u2013${4 * j + 3}`)))),
            element("tbody", {}, ...rows)));
  }
}

if (typeof module !== "undefined") module.exports = {chunkPlace, bankRounds, trafficOf};
