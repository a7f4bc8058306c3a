// The layout of a tile as a picture: each element in the colour of the warp that holds it. Sliders
// choose a warp and a lane; others change the sizes and the number of warps, and the compiler's
// rule (layout.js) makes the layout anew.

const kMostElements = 1 << 18;  // of a picture

function product(numbers) {
  return numbers.reduce((a, b) => a * b, 1);
}

// "softmax<BLOCK = 1024>, 1 warp"
function kernelTitle(kernel) {
  const given = kernel.arguments.map(({name, value}) => `${name} = ${value}`).join(", ");
  return `${kernel.name}${given && `<${given}>`}, ${kernel.warps} warp${
             kernel.warps > 1 ? "s" : ""}` +
      (kernel.forHopper ? ", on Hopper" : "") + (kernel.isFallback ? ", for any arguments" : "");
}

// A choice of one of `titles`.
function choice(label, titles, change) {
  const select = element("select");
  titles.forEach((title, i) => select.append(element("option", {value: i}, title)));
  select.addEventListener("change", () => change(Number(select.value)));
  return {box: element("label", {class: "control"}, element("span", {}, label), select), select};
}

// A slider over the values of a list; shows the value that is chosen.
class Slider {
  constructor(label, change) {
    this.input = element("input", {type: "range", min: "0", step: "1"});
    this.shown = element("output");
    this.name = element("span", {}, label);
    this.box = element("label", {class: "control"}, this.name, this.input, this.shown);
    this.input.addEventListener("input", () => {
      this.show();
      change();
    });
    this.set([0], 0);
  }

  set(values, value) {
    this.values = values;
    this.input.max = String(values.length - 1);
    this.input.disabled = values.length < 2;
    this.input.value = String(Math.max(0, values.indexOf(value)));
    this.show();
  }

  show() {
    this.shown.textContent = String(this.value);
    this.input.setAttribute("aria-valuetext", String(this.value));
  }

  get value() {
    return this.values[Number(this.input.value)];
  }
}

function upTo(end) {
  return Array.from({length: end}, (each, i) => i);
}

// The powers of two up to `most`, and `value`.
function sizesAround(value, most) {
  const sizes = new Set([value]);
  for (let size = 1; size <= most; size *= 2) sizes.add(size);
  return [...sizes].sort((a, b) => a - b);
}

const kIndexNames = ["i", "j", "k", "l"];

// The name of a register axis in formulas: e is the element of a vector, the last axis.
function axisName(layout, axis) {
  return axis === layout.axes.length - 1 ? "e" : kIndexNames[axis] || `r${axis}`;
}

// A coordinate as arithmetic, from its digits: ((i * 4 + warp) * 32 + lane) * 4 + e
function coordinateFormula(layout, d) {
  let text = "", terms = 0;
  for (const digit of [...layout.dims[d].digits].reverse()) {
    if (digit.extent === 1) continue;
    const unit = digit.unit === "register" ? axisName(layout, digit.axis) : digit.unit;
    const whole = digit.unit === "lane" ? kLanes :
        digit.unit === "warp"           ? layout.warps :
                                          digit.extent;
    let part = digit.stride === 1 ? unit : `${unit} / ${digit.stride}`;
    if (digit.stride * digit.extent < whole) part += ` % ${digit.extent}`;
    text = terms === 0 ? part :
                         `${
                             terms > 1 ? `(${text})` :
                                 /[/%]/.test(text) ? `(${text})` :
                                                     text} * ${digit.extent} + ${part}`;
    ++terms;
  }
  return text || "0";
}

// The elements that a thread holds: {registers, at} for each register; `at` is null for padding.
function elementsOf(layout, warp, lane) {
  const held = [];
  for (let r = 0; r < elementsPerThread(layout); ++r) {
    const registers = registerIndices(layout, r), at = coordinates(layout, registers, lane, warp);
    held.push({registers, at: at.every((x, d) => x < layout.dims[d].size) ? at : null});
  }
  return held;
}

// By the number of an element: the number of its first owner, warp * 32 + lane, and the register.
function ownersOf(layout) {
  const shape = layout.dims.map(dim => dim.size);
  const thread = new Int32Array(product(shape)).fill(-1), register = new Int32Array(thread.length);
  const count = elementsPerThread(layout);
  for (let warp = 0; warp < layout.warps; ++warp)
    for (let lane = 0; lane < kLanes; ++lane)
      for (let r = 0; r < count; ++r) {
        const at = coordinates(layout, registerIndices(layout, r), lane, warp);
        if (!at.every((x, d) => x < shape[d])) continue;
        const place = at.reduce((sum, x, d) => sum * shape[d] + x, 0);
        if (thread[place] >= 0) continue;
        thread[place] = warp * kLanes + lane;
        register[place] = r;
      }
  return {thread, register};
}

// Where a vector and then lanes follow each other along a dimension: how many elements in a row the
// lanes hold that way, in one register each or in a vector. Null if they do not.
function adjacentElements(layout) {
  for (const {digits} of layout.dims) {
    const inUse = digits.filter(digit => digit.extent > 1);
    const vector = inUse[0] && inUse[0].unit === "register" ? inUse.shift().extent : 1;
    if (!inUse[0] || inUse[0].unit !== "lane" || inUse[0].stride !== 1) continue;
    return {vector, elements: vector * inUse[0].extent};
  }
  return null;
}

// How many threads hold each element.
function copiesOf(layout) {
  const places = product(layout.dims.map(dim => product(dim.digits.map(digit => digit.extent))));
  return layout.warps * kLanes * elementsPerThread(layout) / places;
}

function registersText(registers) {
  return registers.length ? `x${registers.map(i => `[${i}]`).join("")}` : "x";
}

class TileView {
  constructor(page, panel) {
    this.page = page;
    const redraw = () => this.draw();
    this.kernel = choice("Kernel", page.kernels.map(kernelTitle), () => this.chooseKernel());
    this.tileBox = element("span");
    this.sizes = [];
    this.sizeBox = element("span", {class: "controls"});
    this.warps = new Slider("num_warps", () => this.rule());
    this.warp = new Slider("warp", redraw);
    this.lane = new Slider("lane", redraw);
    this.slice = new Slider("slice", redraw);
    this.reset = element("button", {type: "button"}, "as compiled");
    this.reset.addEventListener("click", () => this.chooseTile(this.index));
    this.canvas = element("canvas", {role: "img"});
    this.words = element("div", {class: "words", "aria-live": "polite"});
    this.under = element("p", {class: "under", "aria-live": "polite"});
    this.table = element("div");
    panel.append(
        element(
            "div", {class: "bar"},
            element(
                "p", {},
                "A tile is divided among the threads of a program: 32 lanes make a " +
                    "warp. Each thread keeps its elements in registers.")),
        element(
            "div", {class: "picture", tabindex: "0", role: "group", "aria-label": "Layout"},
            element("div", {class: "controls"}, this.kernel.box, this.tileBox),
            element(
                "fieldset", {class: "controls"},
                element("legend", {}, "What if: the compiler's rule with other numbers"),
                this.sizeBox, this.warps.box, this.reset),
            element(
                "fieldset", {class: "controls"}, element("legend", {}, "Which thread"),
                this.warp.box, this.lane.box, this.slice.box),
            this.words, this.canvas, this.under, this.table));
    this.canvas.addEventListener("mousemove", event => this.point(event));
    this.canvas.addEventListener("click", event => this.point(event, true));
    this.panel = panel;
    addEventListener("resize", () => panel.hidden || this.draw());
    new MutationObserver(redraw).observe(
        document.documentElement, {attributeFilter: ["data-theme"]});
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    this.chooseKernel();
  }

  open() {
    this.draw();
  }

  chooseKernel() {
    const kernel = this.page.kernels[Number(this.kernel.select.value) || 0];
    this.tiles = kernel ? kernel.tiles : [];
    const title = tile => `${tile.name}: ${tile.element}` +
        `[${this.page.layouts[tile.layout].dims.map(dim => dim.size).join(", ")}], line ${
                              tile.line}`;
    const {box, select} = choice("Tile", this.tiles.map(title), i => this.chooseTile(i));
    this.tileBox.replaceChildren(box);
    // A loaded tile says most, and one with more than one element for each thread.
    const loaded = new Set((kernel ? kernel.accesses : []).map(access => access.name));
    const has = tile => elementsPerThread(this.page.layouts[tile.layout]) > 1;
    const start = Math.max(
        this.tiles.findIndex(tile => has(tile) && loaded.has(tile.name)),
        this.tiles.findIndex(has));
    this.chooseTile(Math.max(0, start));
    select.value = String(this.index);
  }

  chooseTile(index) {
    this.index = index;
    const tile = this.tiles[index];
    if (!tile) {
      this.layout = null;
      return this.draw();
    }
    this.layout = this.page.layouts[tile.layout];
    const {rule, dims, warps} = this.layout;
    this.sizes = dims.map((dim, d) => {
      const slider =
          new Slider(dim.formula || (dims.length > 1 ? `size ${d}` : "size"), () => this.rule());
      slider.set(
          rule ? sizesAround(dim.size, dims.length > 1 ? 256 : 16384) : [dim.size], dim.size);
      return slider;
    });
    this.sizeBox.replaceChildren(...this.sizes.map(slider => slider.box));
    this.warps.set(rule ? sizesAround(warps, 16) : [warps], warps);
    this.restart();
  }

  // The layout of the sizes that the sliders have.
  rule() {
    const tile = this.tiles[this.index];
    const kernel = this.page.kernels[Number(this.kernel.select.value) || 0];
    this.layout = layoutWith(
        this.page.layouts[tile.layout], bytesOfAccesses(this.page, kernel, tile),
        this.sizes.map(slider => slider.value), this.warps.value);
    this.restart();
  }

  restart() {
    const {dims, warps} = this.layout;
    this.warp.set(upTo(warps), Math.min(this.warp.value, warps - 1));
    this.lane.set(upTo(kLanes), this.lane.value);
    const slices = product(dims.slice(0, -2).map(dim => dim.size));
    this.slice.set(upTo(slices), Math.min(this.slice.value, slices - 1));
    this.slice.box.hidden = slices < 2;
    this.isTooLarge = product(dims.map(dim => dim.size)) > kMostElements;
    this.owners = this.isTooLarge ? null : ownersOf(this.layout);
    this.draw();
  }

  // The picture's rows and columns. A tile of one dimension has as many columns as one access of a
  // warp has elements.
  grid() {
    const shape = this.layout.dims.map(dim => dim.size);
    if (shape.length > 1) return {rows: shape[shape.length - 2], columns: shape[shape.length - 1]};
    const digits = this.layout.dims[0].digits;
    const vector = digits[0] && digits[0].unit === "register" ? digits[0].extent : 1;
    const columns = Math.min(shape[0], kLanes * vector);
    return {rows: Math.ceil(shape[0] / columns), columns};
  }

  draw() {
    for (const each of [this.canvas, this.under]) each.hidden = !this.layout || this.isTooLarge;
    if (!this.layout) {
      this.words.replaceChildren(element("p", {}, "This kernel has no tile with a name."));
      this.table.replaceChildren();
      return;
    }
    this.describe();
    if (!this.owners) return;
    const {rows, columns} = this.grid();
    const room = Math.max(200, this.panel.clientWidth - 40);
    const cell = Math.max(3, Math.min(22, Math.floor(room / columns)));
    const scale = devicePixelRatio || 1;
    Object.assign(this.canvas, {width: columns * cell * scale, height: rows * cell * scale});
    Object.assign(this.canvas.style, {width: `${columns * cell}px`, height: `${rows * cell}px`});
    this.cell = cell;
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    this.paint(context, rows, columns, cell);
    this.canvas.setAttribute(
        "aria-label",
        `The elements of the tile, ${rows} rows and ${columns} ` +
            `columns, in the colours of ${this.layout.warps} warps. ${this.words.textContent}`);
  }

  paint(context, rows, columns, cell) {
    const isDark = getComputedStyle(document.body).colorScheme === "dark" ||
        (getComputedStyle(document.documentElement).colorScheme !== "light" &&
         matchMedia("(prefers-color-scheme: dark)").matches);
    const {thread, register} = this.owners, {warps} = this.layout;
    const shape = this.layout.dims.map(dim => dim.size), count = product(shape);
    const mine = new Set(elementsOf(this.layout, this.warp.value, this.lane.value)
                             .filter(held => held.at)
                             .map(held => held.at.reduce((sum, x, d) => sum * shape[d] + x, 0)));
    const base = shape.length > 2 ? this.slice.value * rows * columns : 0;
    const gap = cell > 5 ? 1 : 0;
    for (let place = 0; place < rows * columns && base + place < count; ++place) {
      const owner = thread[base + place], warp = Math.floor(owner / kLanes);
      const x = place % columns * cell, y = Math.floor(place / columns) * cell;
      const isMine = mine.has(base + place), hue = Math.round(warp * 360 / warps + 210) % 360;
      const shade = warp === this.warp.value ? (isDark ? 40 : 72) : (isDark ? 24 : 88);
      const light = shade + (owner % 2 ? (isDark ? 4 : -4) : 0);
      context.fillStyle = isMine ? (isDark ? "#ffd84d" : "#b3261e") : `hsl(${hue} 55% ${light}%)`;
      context.fillRect(x, y, cell - gap, cell - gap);
      if (cell < 18) continue;
      context.fillStyle = isMine ? (isDark ? "#000" : "#fff") : isDark ? "#e2e5ea" : "#1c2128";
      context.font = "9px system-ui";
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillText(
          String(isMine ? register[base + place] : owner % kLanes), x + cell / 2, y + cell / 2);
    }
  }

  describe() {
    const {layout} = this, tile = this.tiles[this.index];
    const count = elementsPerThread(layout), copies = copiesOf(layout);
    const padded =
        layout.dims.map((dim, d) => [dim.size, product(dim.digits.map(digit => digit.extent)), d])
            .filter(([size, all]) => all > size);
    const names = layout.dims.length === 1 ? ["index"] :
        layout.dims.length === 2           ? ["row", "column"] :
                                             layout.dims.map((dim, d) => `index ${d}`);
    const declared = registersText(layout.axes);
    const words =
        [`Each thread holds ${count} element${count > 1 ? "s" : ""}, ${tile.element} ${declared}` +
         (copies > 1 ? `; ${copies} threads hold the same ones` : "") +
         padded.map(([size, all]) => `; ${size} padded to ${all}`).join("") + "."];
    const adjacent = adjacentElements(layout);
    if (adjacent)
      words.push(
          `Neighbouring lanes hold neighbouring ${adjacent.vector > 1 ? "vectors" : "elements"}: ` +
          `one instruction of a warp covers ${adjacent.elements} elements in a row.`);
    if (!this.page.layouts[tile.layout].rule)
      words.push(
          "An instruction or another tile prescribes this layout, so the sliders cannot change it.");
    words.push(
        this.isTooLarge ?
            "The tile is too large for a picture." :
            "Red: the chosen thread. Each colour is a warp; light and dark alternate " +
                "from lane to lane.");
    this.words.replaceChildren(
        element("p", {}, words.join(" ")),
        ...layout.dims.map(
            (dim, d) =>
                element("p", {class: "formula"}, `${names[d]} = ${coordinateFormula(layout, d)}`)),
        element(
            "p", {class: "note"},
            "warp and lane are the numbers of the thread" +
                (layout.axes.length === 0 ?
                     "." :
                     `; its registers are x${
                         layout.axes.map((extent, axis) => `[${axisName(layout, axis)}]`)
                             .join("")}.`)));
    this.tabulate();
  }

  // The chosen thread's registers, one vector a row.
  tabulate() {
    const held = elementsOf(this.layout, this.warp.value, this.lane.value);
    const vector = this.layout.axes.length ? this.layout.axes[this.layout.axes.length - 1] : 1;
    const rows = [], kMostRows = 16;
    for (let r = 0; r < held.length && rows.length < kMostRows; r += vector) {
      const name = registersText(held[r].registers.slice(0, -1));
      const at = held.slice(r, r + vector)
                     .map(
                         ({at}) => at === null ? "padding" :
                             at.length === 1   ? at[0] :
                                                 `(${at.join(", ")})`);
      rows.push(element(
          "tr", {},
          element(
              "th", {scope: "row"},
              vector > 1 ? `${name}[0..${vector - 1}]` : registersText(held[r].registers)),
          element("td", {}, at.join(", "))));
    }
    const left = Math.ceil(held.length / vector) - rows.length;
    this.table.replaceChildren(
        element(
            "table", {class: "registers"},
            element(
                "caption", {},
                `Warp ${this.warp.value}, lane ${this.lane.value}: the elements in its registers`),
            element("tbody", {}, ...rows)),
        left > 0 ? element("p", {class: "note"}, `and ${left} more rows`) : "");
  }

  point(event, chooses = false) {
    const {rows, columns} = this.grid();
    const column = Math.floor(event.offsetX / this.cell),
          row = Math.floor(event.offsetY / this.cell);
    const shape = this.layout.dims.map(dim => dim.size);
    const place =
        (shape.length > 2 ? this.slice.value * rows * columns : 0) + row * columns + column;
    const owner = this.owners.thread[place];
    if (column >= columns || owner === undefined || owner < 0) return;
    const at = shape.length === 1 ? place : `(${row}, ${column})`;
    const registers = registerIndices(this.layout, this.owners.register[place]);
    this.under.textContent =
        `Element ${at}: warp ${Math.floor(owner / kLanes)}, lane ${owner % kLanes}, ` +
        `register ${registersText(registers)}`;
    if (!chooses) return;
    this.warp.set(this.warp.values, Math.floor(owner / kLanes));
    this.lane.set(this.lane.values, owner % kLanes);
    this.draw();
  }
}
