// node scripts_test.js FOLDER: the page's functions that need no browser. FOLDER has its scripts.
const assert = require("node:assert");
const {join} = require("node:path");
const folder = process.argv[2];
const {difference, differingPart} = require(join(folder, "diff.js"));
const {highlightCpp, highlightIr} = require(join(folder, "highlight.js"));
const {chunkPlace, bankRounds, trafficOf} = require(join(folder, "memory.js"));
const {sourceOfRows, foldedParts} = require(join(folder, "code.js"));

// Random texts: the kept and removed lines are the first text, the kept and added ones the second.
let state = 1;
const random = below => (state = state * 48271 % 2147483647) % below;
for (let round = 0; round < 500; ++round) {
  const most = round % 5 === 0 ? 3 : 40;  // few different lines: no line is unique
  const make = () => Array.from({length: random(30)}, () => random(most));
  const a = make(), b = round % 2 ? make() : a.filter(() => random(4)).concat(make().slice(0, 3));
  const rows = difference(a, b);
  const without = kind => rows.filter(row => row.kind !== kind).map(row => row.line);
  assert.deepStrictEqual(without("added"), a);
  assert.deepStrictEqual(without("removed"), b);
}
// A text without unique lines that is too long for the table: its difference is not the shortest.
const long = Array.from({length: 4000}, (each, i) => i % 2);
const rowsOfLong = difference(long, [2, ...long, 2]).filter(row => row.kind !== "removed");
assert.deepStrictEqual(rowsOfLong.map(row => row.line), [2, ...long, 2]);
assert.strictEqual(difference([], []).length, 0);
assert.deepStrictEqual(
    difference([1, 2, 3], [1, 4, 3]).map(row => row.kind), ["kept", "removed", "added", "kept"]);
assert.deepStrictEqual(differingPart("%a = add", "%b = add"), [1, 2, 2]);
assert.deepStrictEqual(differingPart("aa", "aaa"), [2, 2, 3]);

// Lines that differ in the numbers of values only.
const {shapesOf} = require(join(folder, "passes.js"));
assert.deepStrictEqual(
    shapesOf([
      "%1 = add %x, %2", "%12 = add %x, %3", "%1 = add %x.1, %2", "%1 = add %x.20, %2", "%x1 = y",
      "%x2 = y", "%1 = constant 1", "%1 = constant 2"
    ]),
    [0, 0, 2, 2, 4, 5, 6, 7]);

// Colours keep the text, line by line.
const plain = html => html.replace(/<[^>]*>/g, "")
                          .replace(/&lt;/g, "<")
                          .replace(/&gt;/g, ">")
                          .replace(/&quot;/g, '"')
                          .replace(/&amp;/g, "&");
const source = `// a < b && "c"
#include <tile2cu/tile.h>
/* two
   lines */ template <int BLOCK> auto s = "// no comment" + 'x' + 1'000 + 1.5e-3f + x->y;`;
assert.deepStrictEqual(highlightCpp(source).map(plain), source.split("\n"));
const html = highlightCpp(source);
assert.match(html[0], /^<span class="comment">.*<\/span>$/);
assert.match(html[3], /^<span class="comment">   lines \*\/<\/span>/);
assert.match(html[3], /<span class="string">&quot;\/\/ no comment&quot;<\/span>/);
assert.match(html[3], /<span class="numeral">1'000<\/span>/);
assert.match(html[3], /<span class="numeral">1.5e-3f<\/span>/);
assert.match(html[3], /<span class="name">BLOCK<\/span>/);
const ir = "  %x.1 = load %p, %mask : tile<8xf32, #<1 warps, [1], 8 = lane*8>>";
assert.strictEqual(plain(highlightIr(ir)), ir);
assert.match(highlightIr(ir), /<span class="mnemonic">load<\/span>/);

// A statement reaches to the next one or to an empty row; a brace alone is nobody's.
assert.deepStrictEqual(
    sourceOfRows(["a", "b(", "  c);", "}", "", "d"], [[1, 0, 7], [5, 1, 2]]),
    [null, "0:7", "0:7", null, null, "1:2"]);
assert.deepStrictEqual(sourceOfRows(["a"], []), [null]);
assert.deepStrictEqual(
    sourceOfRows(["a", "#pragma unroll", "for"], [[0, 0, 1], [2, 0, 2]]), ["0:1", "0:2", "0:2"]);
assert.deepStrictEqual(
    foldedParts([
      "// ==== device helpers", "x", "// ==== end of device helpers", "k", "// ==== definitions",
      "y"
    ]),
    [[0, 3, "device helpers"], [4, 6, "definitions"]]);
// Shared memory: a column of chunks without and with the swizzle, for rows of 128, 64 and 32 bytes.
const column = (chunks, chunk, isSwizzled) =>
    bankRounds([0, 1, 2, 3, 4, 5, 6, 7].map(row => chunkPlace(row, chunk, chunks, isSwizzled)));
for (const [chunks, rounds] of [[8, 8], [16, 8], [4, 4], [2, 2], [1, 1], [24, 8]])
  for (let chunk = 0; chunk < chunks; ++chunk) {
    assert.strictEqual(column(chunks, chunk, false), rounds);
    assert.strictEqual(column(chunks, chunk, true), 1);
  }

// Global memory: 32 lanes with 16 bytes each, side by side, not at a line's start, 64 bytes apart.
const side = Array.from({length: 32}, (each, lane) => [lane * 16, lane * 16 + 16]);
const traffic = (scale, start) => {
  const {lines, sectors, useful} =
      trafficOf(side.map(([first]) => [first * scale + start, first * scale + start + 16]));
  return [lines.length, sectors.size, useful];
};
assert.deepStrictEqual(traffic(1, 0), [4, 16, 512]);
assert.deepStrictEqual(traffic(1, 16), [5, 17, 512]);
assert.deepStrictEqual(traffic(4, 0), [16, 32, 512]);
assert.deepStrictEqual(traffic(0, 0), [1, 1, 16]);
assert.deepStrictEqual(trafficOf([null]), {lines: [], sectors: new Set(), useful: 0});
// Occupancy: 64 registers allow 1024 threads, 100 KiB of shared memory one block of an A100.
const {occupancy, workOf, kGpus} = require(join(folder, "resources.js"));
assert.deepStrictEqual(
    occupancy(kGpus[0], 256, 64, 0), {blocks: 4, limit: "registers", warps: 32, most: 64});
assert.deepStrictEqual(
    occupancy(kGpus[0], 128, 32, 0),
    {blocks: 16, limit: "the number of threads", warps: 64, most: 64});
assert.strictEqual(occupancy(kGpus[0], 32, 32, 0).blocks, 32);
assert.strictEqual(occupancy(kGpus[0], 128, 32, 100 * 1024).limit, "shared memory");
assert.strictEqual(occupancy(kGpus[4], 128, 32, 100 * 1024).blocks, 0);
// The work of a loop in a loop.
const work = {
  loops: [{around: -1}, {around: 0}],
  items: [
    {loop: -1, bytes: 1, flops: 0}, {loop: 0, bytes: 0, flops: 10},
    {loop: 1, bytes: 2, flops: 100, isDot: true}
  ]
};
assert.deepStrictEqual(workOf(work, [3, 5]), {bytes: 31, flops: 1530, dots: 1500});
// Pipelines: without stages in flight each iteration waits for its copy; with enough none does.
const {schedule, stalls} = require(join(folder, "pipeline.js"));
assert.strictEqual(stalls(schedule(1, 2, false)), 7 * 2);
assert.strictEqual(stalls(schedule(2, 2, false)), 7 * 1);
assert.strictEqual(stalls(schedule(3, 2, false)), 0);
assert.strictEqual(stalls(schedule(1, 2, true)), 7 * 2);
assert.strictEqual(stalls(schedule(3, 2, true)), 0);
for (const isRing of [false, true])
  for (let stages = 1; stages <= 8; ++stages)
    for (let duration = 1; duration <= 8; ++duration) {
      const all = schedule(stages, duration, isRing);
      all.forEach((each, t) => {
        // Nothing is computed before it is there, nor is a stage filled while it is read.
        assert(each.ready <= each.start && each.copy >= 0);
        if (t >= stages) assert(each.copy >= all[t - stages].end);
        if (t > 0) assert(each.start >= all[t - 1].end);
      });
    }
console.log("scripts: done");
