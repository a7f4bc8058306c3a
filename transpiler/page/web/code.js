// The tile source and the CUDA side by side. A row that came from a line of the source, and that
// line, light up together.

// An element with attributes and children; texts become text nodes.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// For each row of the CUDA text, the line of the source that it came from as "file:line", or null.
// A statement reaches to the next one, or to an empty row.
function sourceOfRows(rows, sources) {
  const keys = new Array(rows.length).fill(null);
  sources.forEach(([row, file, line], i) => {
    const end = i + 1 < sources.length ? sources[i + 1][0] : rows.length;
    for (let r = row; r < end && rows[r].trim() !== ""; ++r)
      if (r === row || !/^\s*[}\])]+;?$/.test(rows[r])) keys[r] = `${file}:${line}`;
  });
  // A #pragma belongs to the loop below it.
  rows.forEach((row, r) => {
    if (row.trim().startsWith("#pragma")) keys[r] = keys[r + 1] || null;
  });
  return keys;
}

// The parts of the CUDA text that a reader skips at first, [first row, end, title]: the device
// helpers, between rows that begin with "// ====".
function foldedParts(rows) {
  const parts = [];
  for (let r = 0; r < rows.length; ++r) {
    if (!rows[r].startsWith("// ==== ") || rows[r].startsWith("// ==== end")) continue;
    let end = r + 1;
    while (end < rows.length && !rows[end].startsWith("// ==== ")) ++end;
    if (end < rows.length && rows[end].startsWith("// ==== end")) ++end;
    parts.push([r, end, rows[r].slice(8)]);
    r = end - 1;
  }
  return parts;
}

class CodeView {
  constructor(page, panel) {
    this.page = page;
    this.rowsOf = new Map();   // "file:line" -> elements of rows, on both sides
    this.spansOf = new Map();  // name -> elements
    this.lit = [];
    this.pinned = null;
    const rows = page.cuda.text.split("\n");
    const keys = sourceOfRows(rows, page.cuda.sources);
    const linked = new Set(keys.filter(key => key));
    panel.append(
        this.bar(),
        element("div", {class: "sides"}, this.sourceSide(linked), this.cudaSide(rows, keys)));
    this.panel = panel;
    panel.addEventListener("mouseover", event => this.hover(event));
    panel.addEventListener("mouseleave", () => this.light(this.pinned, []));
    panel.addEventListener("click", event => this.click(event));
    panel.addEventListener("focusin", event => this.hover(event));
    panel.addEventListener("keydown", event => this.key(event));
    for (const span of panel.querySelectorAll(".name")) {
      const name = span.textContent;
      if (!this.spansOf.has(name)) this.spansOf.set(name, []);
      this.spansOf.get(name).push(span);
    }
  }

  bar() {
    const count = this.page.remarks.length;
    const box = element("input", {type: "checkbox", id: "show-remarks"});
    box.checked = true;
    box.addEventListener(
        "change", () => this.panel.classList.toggle("without-remarks", !box.checked));
    return element(
        "div", {class: "bar"},
        element(
            "p", {},
            "Point at a line: what it became, or where it came from, lights up. " +
                "Click it, or press Enter on its number, to bring the other side there."),
        element("label", {}, box, ` ${count} remark${count === 1 ? "" : "s"} of the compiler`));
  }

  sourceSide(linked) {
    const lists = [];
    const {files, main} = this.page;
    const order = [main, ...files.keys()].filter((file, i) => i === 0 || file !== main);
    for (const file of order) {
      if (files[file].text === undefined) continue;
      const list = element("ol", {class: "rows"});
      const notes = this.remarksOf(file);
      highlightCpp(files[file].text.replace(/\n$/, "")).forEach((html, i) => {
        const key = `${file}:${i + 1}`;
        const item = this.row(html, i + 1, linked.has(key) ? key : null, "CUDA");
        item.append(...this.folded(notes.get(i + 1) || []));
        list.append(item);
      });
      lists.push(
          file === main ? list :
                          element("details", {}, element("summary", {}, files[file].name), list));
    }
    return this.side(files[main].name.split("/").pop(), lists, "Tile source");
  }

  // A line with many remarks shows their number first.
  folded(notes) {
    if (notes.length <= 2) return notes;
    return [element(
        "details", {class: "remarks"}, element("summary", {}, `${notes.length} remarks`),
        ...notes)];
  }

  // By line: the paragraphs of the remarks about it.
  remarksOf(file) {
    const notes = new Map();
    for (const remark of this.page.remarks) {
      if (remark.file !== file) continue;
      if (!notes.has(remark.line)) notes.set(remark.line, []);
      const more = (remark.notes || []).map(note => `; ${note.text}`).join("");
      notes.get(remark.line)
          .push(element("p", {class: `remark ${remark.severity}`}, remark.text + more));
    }
    return notes;
  }

  cudaSide(rows, keys) {
    const html = highlightCpp(this.page.cuda.text);
    const item = r => this.row(html[r], r + 1, keys[r], "source");
    const lists = [];
    let list = element("ol", {class: "rows"}), at = 0;
    const end = rows[rows.length - 1] === "" ? rows.length - 1 : rows.length;
    for (const [first, last, title] of [...foldedParts(rows), [end, end, ""]]) {
      for (; at < first; ++at) list.append(item(at));
      lists.push(list);
      list = element("ol", {class: "rows"});
      for (; at < Math.min(last, end); ++at) list.append(item(at));
      if (last > first)
        lists.push(element(
            "details", {}, element("summary", {}, `${last - first} lines: ${title}`), list));
      list = element("ol", {class: "rows"});
    }
    return this.side(this.page.cuda.name, lists, "CUDA");
  }

  side(title, lists, label) {
    return element(
        "section", {class: "side", "aria-label": `${label}: ${title}`}, element("h2", {}, title),
        element(
            "div", {class: "scroll", tabindex: "0", role: "group", "aria-label": label}, ...lists));
  }

  // One line of code. Its number is a button if the line has a counterpart; of these, Tab reaches
  // the first one on each side and the arrow keys the others.
  row(html, number, key, other) {
    const gutter = key ? element(
                             "button", {
                               class: "number",
                               type: "button",
                               tabindex: "-1",
                               "aria-label": `line ${number}: show its ${other}`
                             },
                             `${number}`) :
                         element("span", {class: "number"}, `${number}`);
    const code = element("code");
    code.innerHTML = html;
    const row = element("div", {class: key ? "row linked" : "row"}, gutter, code);
    if (key) {
      row.dataset.key = key;
      if (!this.rowsOf.has(key)) this.rowsOf.set(key, []);
      this.rowsOf.get(key).push(row);
    }
    return element("li", {}, row);
  }

  // Lights up the rows of `key` and the names in `spans`.
  light(key, spans) {
    for (const each of this.lit) each.classList.remove("lit", "pinned", "same");
    this.lit = [];
    const add = (each, name) => {
      each.classList.add(name);
      this.lit.push(each);
    };
    if (this.pinned)
      for (const row of this.rowsOf.get(this.pinned)) add(row, "pinned");
    if (key && key !== this.pinned)
      for (const row of this.rowsOf.get(key)) add(row, "lit");
    for (const span of spans) add(span, "same");
  }

  hover(event) {
    const row = event.target.closest(".row");
    const name = event.target.closest(".name");
    this.light(
        row ? row.dataset.key || null : this.pinned,
        name ? this.spansOf.get(name.textContent) || [] : []);
  }

  click(event) {
    const row = event.target.closest(".row");
    if (!row || !row.dataset.key || String(getSelection())) return;
    this.pinned = this.pinned === row.dataset.key ? null : row.dataset.key;
    this.light(this.pinned, []);
    if (this.pinned) this.reveal(row);
  }

  // Scrolls the other side to the first counterpart of `row`.
  reveal(row) {
    const side = row.closest(".side");
    const other = this.rowsOf.get(row.dataset.key).find(each => each.closest(".side") !== side);
    if (!other) return;
    const fold = other.closest("details");
    if (fold) fold.open = true;
    other.scrollIntoView({block: "nearest"});
  }

  key(event) {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step || !event.target.matches(".number, .scroll")) return;
    const scroll = event.target.closest(".scroll");
    const numbers = [...scroll.querySelectorAll("button.number")].filter(each => each.offsetParent);
    if (numbers.length === 0) return;
    const next =
        numbers[event.target.matches(".scroll") ? 0 : numbers.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    for (const each of numbers) each.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    next.closest(".row").scrollIntoView({block: "nearest"});
  }
}

if (typeof module !== "undefined") module.exports = {sourceOfRows, foldedParts};
