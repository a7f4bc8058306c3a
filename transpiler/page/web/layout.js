// The compiler's rule for layouts: which thread holds which element of a tile, in which register.
// passes/ir/layout.h explains digits, passes/ir/layout.cpp has the same functions in C++, and
// test/unit/transpiler/page compares the two.
//
// A layout is {warps, axes, dims}: axes are the extents of the register array, and each dimension
// is {size, digits}, the fastest digit first. A digit is {unit, axis, stride, extent}; its unit is
// "register" (with an axis), "lane" or "warp".

const kLanes = 32;

// The smallest m x 2^k >= size with odd m <= 9 that is a multiple of `multiple`.
function paddedSize(size, multiple) {
  let best = 0;
  for (const odd of [1, 3, 5, 7, 9]) {
    let candidate = odd;
    while ((candidate < size || candidate % multiple !== 0) && candidate <= 2 ** 40) candidate *= 2;
    if (candidate <= 2 ** 40 && (best === 0 || candidate < best)) best = candidate;
  }
  return best;
}

function commonDivisor(a, b) {
  while (b) [a, b] = [b, a % b];
  return a;
}

// How the padded sizes are divided among lanes, warps and the repetitions that are left.
function dealOut(spec, padded) {
  const rest = [...padded];
  rest[spec.order[0]] /= spec.vector;
  const take = available => {
    const extents = padded.map(() => 1);
    for (const d of spec.order) {
      extents[d] = commonDivisor(rest[d], available);
      rest[d] /= extents[d];
      available /= extents[d];
    }
    return extents;
  };
  const lanes = take(kLanes), warps = take(spec.warps);
  return {lanes, warps, rest, steps: rest.reduce((a, b) => a * b, 1)};
}

// Pads the sizes, the outermost dimension first, as long as that saves each thread repetitions.
function paddedShape(spec) {
  const multipleOf = d => d === spec.order[0] ? spec.vector : 1;
  let padded = spec.shape.map((size, d) => paddedSize(size, multipleOf(d)));
  let steps = dealOut(spec, padded).steps;
  for (let improved = true; improved;) {
    improved = false;
    for (const d of [...spec.order].reverse()) {
      if (spec.exactAxis === d && padded[d] === spec.shape[d]) continue;
      const wider = [...padded], most = 2 * padded[d];
      while ((wider[d] = paddedSize(wider[d] + 1, multipleOf(d))) <= most) {
        const then = dealOut(spec, wider).steps;
        if (then >= steps) continue;
        padded = [...wider];
        steps = then;
        improved = true;
      }
    }
  }
  return padded;
}

// A vector, then lanes, then warps along the contiguous dimension, then the same along the others;
// registers repeat the pattern. `spec`: {shape, warps, vector, order, scalar, scanAxis, exactAxis},
// with -1 for no axis.
function blockedLayout(spec) {
  const shares = dealOut(spec, paddedShape(spec));
  const dims = spec.shape.map(size => ({size, digits: []}));
  const axes = [], axisOf = spec.shape.map(() => -1);
  spec.shape.forEach((size, d) => {
    if (shares.rest[d] === 1 && (d !== spec.order[0] || spec.scalar)) return;
    axisOf[d] = axes.length;
    axes.push(shares.rest[d]);
  });
  const vectorAxis = axes.length;
  if (!spec.scalar) axes.push(spec.vector);
  let laneStride = 1, warpStride = 1;
  for (const d of spec.order) {
    const digits = dims[d].digits;
    const add = (unit, axis, stride, extent) => digits.push({unit, axis, stride, extent});
    const addWarp = () => shares.warps[d] > 1 && add("warp", 0, warpStride, shares.warps[d]);
    if (d === spec.order[0] && !spec.scalar) add("register", vectorAxis, 1, spec.vector);
    if (shares.lanes[d] > 1) add("lane", 0, laneStride, shares.lanes[d]);
    if (spec.scanAxis !== d) addWarp();
    if (axisOf[d] >= 0) add("register", axisOf[d], 1, shares.rest[d]);
    if (spec.scanAxis === d) addWarp();
    laneStride *= shares.lanes[d];
    warpStride *= shares.warps[d];
  }
  return {warps: spec.warps, axes, dims};
}

// Halves the vector while there are too few elements for one on each thread.
function fittingVector(spec) {
  const elements = spec.shape.reduce((a, b) => a * b, 1);
  let vector = spec.vector;
  while (vector > 1 && vector * kLanes * spec.warps > elements) vector /= 2;
  return vector;
}

// The layout that the rule of `made` gives for other sizes and another number of warps. The widest
// vector of its accesses is that of `made`; if the tile of `made` was too small for a wider one,
// the accesses may allow 16 bytes. `bytes`: of an element of
// the accesses.
function layoutWith(made, bytes, shape, warps) {
  if (warps === made.warps && shape.every((size, d) => size === made.dims[d].size)) return made;
  const spec = {...made.rule, shape, warps};
  const elements = made.dims.reduce((count, dim) => count * dim.size, 1);
  const wasCut = 2 * spec.vector * kLanes * made.warps > elements;
  if (!spec.scalar) {
    if (wasCut) spec.vector = Math.max(spec.vector, 16 / bytes);
    spec.vector = fittingVector(spec);
  }
  return blockedLayout(spec);
}

// The bytes of an element of the accesses that decide about a tile's layout: the largest of those
// with this layout.
function bytesOfAccesses(page, kernel, tile) {
  const own = layoutText(page.layouts[tile.layout]);
  const bytes = kernel.accesses.filter(access => layoutText(page.layouts[access.layout]) === own)
                    .map(access => access.bytes);
  return bytes.length > 0 ? Math.max(...bytes) : tile.bytes;
}

function elementsPerThread(layout) {
  return layout.axes.reduce((a, b) => a * b, 1);
}

// The register index r (row by row) as one index for each register axis.
function registerIndices(layout, r) {
  const indices = [];
  for (let axis = layout.axes.length - 1; axis >= 0; --axis) {
    indices.unshift(r % layout.axes[axis]);
    r = Math.floor(r / layout.axes[axis]);
  }
  return indices;
}

// The coordinates of an element, one for each dimension; past its size for padding.
function coordinates(layout, registers, lane, warp) {
  return layout.dims.map(({digits}) => {
    let sum = 0, weight = 1;
    for (const digit of digits) {
      const index = digit.unit === "register" ? registers[digit.axis] :
          digit.unit === "lane"               ? lane :
                                                warp;
      sum += Math.floor(index / digit.stride) % digit.extent * weight;
      weight *= digit.extent;
    }
    return sum;
  });
}

// As the Tile IR writes it: #<4 warps, [2, 4], 1024 = r1*4 lane*32 warp*4 r0*2>
function layoutText(layout) {
  const dims = layout.dims.map(
      ({size, digits}) => `${size} =` +
          digits
              .map(digit => {
                const unit = digit.unit === "register" ? `r${digit.axis}` : digit.unit;
                return ` ${unit}${digit.stride === 1 ? "" : `/${digit.stride}`}*${digit.extent}`;
              })
              .join(""));
  return `#<${[`${layout.warps} warps`, `[${layout.axes.join(", ")}]`, ...dims].join(", ")}>`;
}

if (typeof module !== "undefined")
  module.exports = {
    blockedLayout,
    fittingVector,
    layoutWith,
    bytesOfAccesses,
    layoutText,
    coordinates,
    registerIndices,
    elementsPerThread
  };
