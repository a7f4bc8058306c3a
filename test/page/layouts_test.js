// node layouts_test.js FOLDER PAGE LEAST: from the layout of a tile in each kernel of the page, the
// page's rule computes the layout that the compiler chose for the tile of the same name in each
// other kernel. FOLDER has the page's scripts. Fails if there are fewer than LEAST comparisons.
const {readFileSync} = require("node:fs");
const {join} = require("node:path");
const [folder, path, least] = process.argv.slice(2);
const {bytesOfAccesses, layoutText, layoutWith} = require(join(folder, "layout.js"));

const found = /<script type="application\/json" id="document">([^]*?)<\/script>/.exec(
    readFileSync(path, "utf8"));
const page = JSON.parse(found[1]);
let passed = 0, failed = 0;
const tilesOf = kernel => kernel.tiles.map(
    tile =>
        ({...tile, made: page.layouts[tile.layout], bytes: bytesOfAccesses(page, kernel, tile)}));
for (const from of page.kernels.flatMap(tilesOf))
  for (const to of page.kernels.flatMap(tilesOf)) {
    if (from.name !== to.name || !from.made.rule || from.made.dims.length !== to.made.dims.length)
      continue;
    const own = layoutText(
        layoutWith(from.made, from.bytes, to.made.dims.map(dim => dim.size), to.made.warps));
    if (own === layoutText(to.made)) {
      ++passed;
    } else if (++failed <= 5) {
      console.log(
          `${from.name} from ${layoutText(from.made)}:\n  page     ${own}\n` +
          `  compiler ${layoutText(to.made)}`);
    }
  }
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed < Number(least) ? 1 : 0;
