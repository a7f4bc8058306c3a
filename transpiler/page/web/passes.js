// The IR after each pass, and how it differs from the IR before.

const kContext = 3;  // lines around a change

// For each line the number of the first one that is equal but for the numbers in names of values:
// %12 and %x.3.
function shapesOf(lines) {
  const first = new Map();
  return lines.map((line, i) => {
    const shape =
        line.replace(/%(\d+|[A-Za-z_$][\w$]*\.\d+)(?![\w.])/g, value => value.replace(/\d+$/, "#"));
    if (!first.has(shape)) first.set(shape, i);
    return first.get(shape);
  });
}

class PassView {
  constructor(page, panel) {
    this.lines = page.ir.lines;
    this.passes = page.ir.passes;
    let before = [];
    this.texts = this.passes.map(pass => before = pass.lines || before);
    this.shapes = shapesOf(this.lines);
    this.isWhole = false;
    const whole = element("input", {type: "checkbox"});
    whole.addEventListener("change", () => {
      this.isWhole = whole.checked;
      this.show(this.current);
    });
    this.list = element("ol", {class: "list"});
    this.buttons = [];
    let level = "";
    this.passes.forEach((pass, i) => {
      if (pass.level !== level)
        this.list.append(element("li", {class: "level"}, kLevels[level = pass.level]));
      const isChanged = i === 0 || pass.lines;
      const button = element(
          "button", {type: "button", class: isChanged ? "" : "unchanged"},
          element("span", {}, pass.name),
          element("span", {class: "note"}, isChanged ? "" : "no change"));
      button.addEventListener("click", () => this.show(i));
      this.buttons.push(button);
      this.list.append(element("li", {}, button));
    });
    this.result =
        element("div", {class: "difference", tabindex: "0", role: "group", "aria-label": "IR"});
    panel.append(
        element(
            "div", {class: "bar"},
            element(
                "p", {},
                "The compiler's own form of the kernel, the Tile IR, after each of " +
                    "its passes, and what the pass changed."),
            element("label", {}, whole, " the whole IR, not only the changes")),
        element(
            "div", {class: "steps"}, element("nav", {"aria-label": "Passes"}, this.list),
            this.result));
    this.list.addEventListener("keydown", event => {
      const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      const next = step && this.buttons[this.buttons.indexOf(event.target) + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.click();
    });
    this.current = 0;
  }

  // Not before the view is visible: the first text may be long.
  open() {
    if (this.result.childElementCount === 0) this.show(0);
  }

  show(index) {
    this.current = index;
    this.buttons.forEach((button, i) => button.setAttribute("aria-current", String(i === index)));
    const {name, does} = this.passes[index];
    const before = this.texts[Math.max(0, index - 1)], after = this.texts[index];
    // Lines that differ only in the numbers of values are equal, and shown as they are afterwards.
    const rows =
        difference(before.map(line => this.shapes[line]), after.map(line => this.shapes[line]));
    let a = 0, b = 0;
    for (const row of rows) {
      row.line = row.kind === "removed" ? before[a] : after[b];
      a += row.kind !== "added";
      b += row.kind !== "removed";
    }
    const count = kind => rows.filter(row => row.kind === kind).length;
    const change = index === 0 ? `${rows.length} lines` :
        count("added") + count("removed") === 0 && this.passes[index].lines ?
                                 "values get other numbers" :
                                 `${count("added")} lines added, ${count("removed")} removed`;
    const list = element("ol", {class: "rows"});
    list.append(...this.rowsOf(rows, index === 0 || this.isWhole));
    this.result.replaceChildren(
        element("p", {class: "does"}, element("strong", {}, name), ` ${does} (${change})`), list);
    this.result.scrollTop = 0;
  }

  rowsOf(rows, isWhole) {
    const near = new Array(rows.length).fill(isWhole);
    rows.forEach((row, i) => {
      if (row.kind === "kept") return;
      for (let k = i - kContext; k <= i + kContext; ++k) near[k] = true;
    });
    const items = [], parts = this.partsOf(rows);
    let skipped = 0;
    const flush = () => {
      if (skipped > 0) items.push(element("li", {class: "gap"}, `${skipped} equal lines`));
      skipped = 0;
    };
    rows.forEach((row, i) => {
      if (!near[i]) {
        ++skipped;
        return;
      }
      flush();
      const text = this.lines[row.line], code = element("code");
      if (parts.has(i)) {
        const [start, end] = parts.get(i);
        code.append(
            text.slice(0, start), element("span", {class: "part"}, text.slice(start, end)),
            text.slice(end));
      } else {
        code.innerHTML = highlightIr(text);
      }
      items.push(element("li", {class: `change ${row.kind}`}, code));
    });
    flush();
    return items;
  }

  // Where as many lines are added as were removed: the part of each that differs.
  partsOf(rows) {
    const parts = new Map();
    for (let i = 0; i < rows.length;) {
      let removed = i, added;
      while (removed < rows.length && rows[removed].kind === "removed") ++removed;
      added = removed;
      while (added < rows.length && rows[added].kind === "added") ++added;
      const count = removed - i;
      if (count > 0 && added - removed === count)
        for (let k = 0; k < count; ++k) {
          const [start, endA, endB] =
              differingPart(this.lines[rows[i + k].line], this.lines[rows[removed + k].line]);
          parts.set(i + k, [start, endA]);
          parts.set(removed + k, [start, endB]);
        }
      i = added > i ? added : i + 1;
    }
    return parts;
  }
}

const kLevels = {
  tile: "Tiles, not yet placed",
  placed: "Tiles with a layout on the threads",
  thread: "The code of one thread"
};

if (typeof module !== "undefined") module.exports = {shapesOf};
