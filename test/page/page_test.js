// node page_test.js CHROMIUM PAGE.html...: opens each page and uses it: links between the sides,
// keys, tabs, colours. Prints what is wrong, and how many checks there were.
const {pathToFileURL} = require("node:url");
const {Chromium} = require("./chromium.js");

let passed = 0;
const failures = [];
function check(condition, what) {
  if (condition)
    ++passed;
  else
    failures.push(what);
}

// Run in the page: a row of the source that has a counterpart, its counterparts, and what lights
// up.
const kLinks = `(() => {
  const sides = [...document.querySelectorAll("#code .side")];
  const rows = [...sides[0].querySelectorAll(".row.linked")];
  const lost = rows.filter(row => !sides[1].querySelector('[data-key="' + row.dataset.key + '"]'));
  const row = rows[0];
  row.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
  const lit = [...sides[1].querySelectorAll(".lit")].map(each => each.dataset.key);
  row.click();
  const pinned = sides.map(side => side.querySelectorAll(".pinned").length);
  const other = sides[1].querySelector(".pinned").getBoundingClientRect();
  const frame = sides[1].querySelector(".scroll").getBoundingClientRect();
  return {rows: rows.length, lost: lost.length, lit: lit.length,
          isRight: lit.every(key => key === row.dataset.key), pinned,
          isVisible: other.top >= frame.top - 1 && other.bottom <= frame.bottom + 1};
})()`;

async function testCode(page, name) {
  const links = await page.evaluate(kLinks);
  check(links.rows > 2, `${name}: ${links.rows} lines of the source have CUDA`);
  check(links.lost === 0, `${name}: ${links.lost} lines of the source have no CUDA row`);
  check(links.lit > 0 && links.isRight, `${name}: pointing at a line lights up its CUDA`);
  check(links.pinned[0] > 0 && links.pinned[1] > 0, `${name}: a click marks both sides`);
  check(links.isVisible, `${name}: a click brings the other side there`);
  await page.evaluate(`document.querySelectorAll("#code .scroll")[1].focus()`);
  await page.press("ArrowDown");
  await page.press("ArrowDown");
  check(
      await page.evaluate(`document.activeElement.matches("button.number") &&
                             document.querySelector("#code .side .lit, #code .side .pinned") !== null`),
      `${name}: arrow keys go through the linked lines`);
  const isMarked = () => page.evaluate(`document.activeElement.closest(".row").matches(".pinned")`);
  const before = await isMarked();
  await page.press("Enter");
  const after = await isMarked();
  check(before !== after, `${name}: Enter marks a line, or takes the mark away`);
  check(
      await page.evaluate(`document.querySelectorAll("#code .remark").length`) > 0,
      `${name}: remarks stand at their lines`);
  const sameNames = await page.evaluate(`(() => {
    const name = document.querySelector("#code .side .linked .name");
    name.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
    return [...document.querySelectorAll(".same")].every(each => each.textContent === name.textContent);
  })()`);
  check(sameNames, `${name}: equal names light up`);
}

// Moves a slider of a view to its end and returns what the view says before and after.
function sliding(view, label, result) {
  return `(() => {
    document.getElementById("tab-${view}").click();
    const box = [...document.querySelectorAll("#${view} .control")].find(
        each => each.querySelector("input[type=range]") && each.firstChild.textContent.startsWith("${
      label}"));
    if (!box || box.hidden) return null;
    const input = box.querySelector("input"), say = () => document.querySelector("${
      result}").textContent;
    const before = say(), old = input.value;
    input.value = input.value === input.max ? "0" : input.max;
    input.dispatchEvent(new Event("input", {bubbles: true}));
    const after = say();
    input.value = old;
    input.dispatchEvent(new Event("input", {bubbles: true}));
    return {before, after, again: say(), canMove: input.max !== "0" && !input.disabled};
  })()`;
}

async function testLayouts(page, name) {
  const lane = await page.evaluate(sliding("layouts", "lane", "#layouts table"));
  check(lane && lane.before !== lane.after, `${name}: the slider of lanes changes the registers`);
  check(lane && lane.before === lane.again, `${name}: and brings them back`);
  const warps = await page.evaluate(sliding("layouts", "num_warps", "#layouts .words"));
  if (warps.canMove) {
    check(warps.before !== warps.after, `${name}: num_warps makes another layout`);
    check(warps.before === warps.again, `${name}: and the compiler's layout comes back`);
  }
  const picture = await page.evaluate(`(() => {
    const canvas = document.querySelector("#layouts canvas");
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    const colours = new Set();
    for (let i = 0; i < pixels.length; i += 4 * 97) colours.add(pixels.slice(i, i + 3).join());
    const at = {clientX: canvas.getBoundingClientRect().left + 2, clientY: canvas.getBoundingClientRect().top + 2};
    canvas.dispatchEvent(new MouseEvent("mousemove", {bubbles: true, ...at}));
    return {colours: colours.size, label: canvas.getAttribute("aria-label"),
            under: document.querySelector("#layouts .under").textContent};
  })()`);
  check(picture.colours > 1 && picture.label, `${name}: the picture has colours and a text`);
  check(/^Element .*: warp 0, lane 0, register x/.test(picture.under), `${name}: ${picture.under}`);
  // Every kernel and every tile can be shown.
  const tiles = await page.evaluate(`(() => {
    const choose = (select, i) => {
      select.value = String(i);
      select.dispatchEvent(new Event("change", {bubbles: true}));
    };
    const kernels = document.querySelector("#layouts select");
    let count = 0;
    for (let k = 0; k < kernels.length; ++k) {
      choose(kernels, k);
      const tiles = document.querySelectorAll("#layouts select")[1];
      for (let t = 0; t < tiles.length; ++t, ++count) choose(tiles, t);
    }
    return count;
  })()`);
  check(tiles > 0, `${name}: ${tiles} tiles`);
}

async function testMemory(page, name) {
  const start = await page.evaluate(sliding("memory", "first byte", "#memory .scrolled"));
  if (start)
    check(
        start.before !== start.after && start.before === start.again,
        `${name}: the first byte changes the sectors`);
  const swizzle = await page.evaluate(`(() => {
    const box = document.querySelector("#memory input[type=checkbox]");
    if (box.disabled || !box.offsetParent) return null;
    const say = () => document.querySelectorAll("#memory .scrolled")[1].textContent;
    const on = say();
    box.click();
    const off = say();
    box.click();
    return {on, off};
  })()`);
  if (swizzle)
    check(
        /one round/.test(swizzle.on) && /rounds instead of 1/.test(swizzle.off),
        `${name}: without the swizzle there are conflicts`);
}

async function testResources(page, name) {
  const text = await page.evaluate(`(() => {
    document.getElementById("tab-resources").click();
    return document.querySelector("#resources").textContent;
  })()`);
  check(
      /blocks on a multiprocessor[1-9]/.test(text) && !/NaN|undefined|Infinity/.test(text),
      `${name}: resources ${text.slice(0, 300)}`);
}

async function testPasses(page, name) {
  const passes = await page.evaluate(`(() => {
    document.getElementById("tab-passes").click();
    const buttons = [...document.querySelectorAll("#passes nav button")];
    const bad = buttons.filter(button => {
      button.click();
      const changes = document.querySelectorAll("#passes .change.added, #passes .change.removed");
      const isFirst = button === buttons[0];
      const isRenumbered = /other numbers/.test(document.querySelector("#passes .does").textContent);
      return !isFirst && (changes.length > 0 || isRenumbered) === button.matches(".unchanged");
    });
    return {count: buttons.length, bad: bad.map(button => button.textContent)};
  })()`);
  check(passes.count > 30, `${name}: ${passes.count} passes are listed`);
  check(passes.bad.length === 0, `${name}: wrong differences after ${passes.bad.join(", ")}`);
}

async function testTabs(page, name) {
  await page.evaluate(`document.querySelector("[role=tab]").focus()`);
  const count = await page.evaluate(`document.querySelectorAll("[role=tab]").length`);
  for (let i = 0; i < count; ++i) {
    await page.press("ArrowRight");
    const state = await page.evaluate(`({
      selected: document.querySelectorAll("[role=tab][aria-selected=true]").length,
      isFocused: document.activeElement.getAttribute("aria-selected") === "true",
      shown: [...document.querySelectorAll("[role=tabpanel]")].filter(each => !each.hidden).length,
      label: document.querySelector("[role=tabpanel]:not([hidden])").getAttribute("aria-labelledby"),
      focused: document.activeElement.id})`);
    check(
        state.selected === 1 && state.shown === 1 && state.isFocused &&
            state.label === state.focused,
        `${name}: the right arrow shows the next view`);
  }
}

async function testColours(page, name) {
  const paper = () => page.evaluate(`getComputedStyle(document.body).backgroundColor`);
  const system = await paper();
  const seen = [];
  for (let i = 0; i < 2; ++i) {
    await page.evaluate(`document.getElementById("theme").click()`);
    seen.push(await paper());
  }
  check(seen[0] !== seen[1] && seen.includes(system), `${name}: the button changes the colours`);
}

async function main() {
  const [program, ...files] = process.argv.slice(2);
  const browser = new Chromium(program);
  for (const file of files)
    for (const dark of [false, true]) {
      const page = await browser.open(pathToFileURL(file).href, {dark});
      const name = `${file}${dark ? " (dark)" : ""}`;
      check(page.milliseconds < 2000, `${name}: opens in ${page.milliseconds} ms`);
      await testCode(page, name);
      await testLayouts(page, name);
      await testMemory(page, name);
      await testResources(page, name);
      await testPasses(page, name);
      await testTabs(page, name);
      await testColours(page, name);
      check(page.problems.length === 0, `${name}: ${page.problems.join("; ")}`);
    }
  await browser.close();
  for (const failure of failures) console.log(`FAILED ${failure}`);
  console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

main();
