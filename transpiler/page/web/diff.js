// The difference of two texts whose lines are numbers: equal lines have equal numbers.

// The pairs [i, j] of a longest common subsequence of a and b, both short.
function commonOfShort(a, b) {
  const width = b.length + 1, best = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; --i)
    for (let j = b.length - 1; j >= 0; --j)
      best[i * width + j] = a[i] === b[j] ?
          best[(i + 1) * width + j + 1] + 1 :
          Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
  const pairs = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j])
      pairs.push([i++, j++]);
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1])
      ++i;
    else
      ++j;
  }
  return pairs;
}

// The pairs of lines that each text has once, as long as they are in the same order: patience diff.
function uniquePairs(a, b) {
  const once = lines => {
    const places = new Map();
    lines.forEach((line, i) => places.set(line, places.has(line) ? -1 : i));
    return places;
  };
  const inA = once(a), inB = once(b), piles = [];
  for (const [line, i] of inA) {
    const j = inB.get(line);
    if (i < 0 || j === undefined || j < 0) continue;
    let low = 0, high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (piles[middle].j < j)
        low = middle + 1;
      else
        high = middle;
    }
    piles[low] = {i, j, before: low > 0 ? piles[low - 1] : null};
  }
  const pairs = [];
  for (let top = piles[piles.length - 1]; top; top = top.before) pairs.push([top.i, top.j]);
  return pairs.reverse();
}

const kMostCells = 1000000;  // of the table of commonOfShort

// The pairs [i, j] of lines that stay, in order.
function commonLines(a, b) {
  let start = 0, end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  while (end < a.length - start && end < b.length - start &&
         a[a.length - 1 - end] === b[b.length - 1 - end])
    ++end;
  const innerA = a.slice(start, a.length - end), innerB = b.slice(start, b.length - end);
  const pairs = [];
  for (let i = 0; i < start; ++i) pairs.push([i, i]);
  const add = (more, i, j) => more.forEach(pair => pairs.push([pair[0] + i, pair[1] + j]));
  const anchors = uniquePairs(innerA, innerB);
  if (anchors.length > 0) {
    let i = 0, j = 0;
    for (const [nextI, nextJ] of [...anchors, [innerA.length, innerB.length]]) {
      add(commonLines(innerA.slice(i, nextI), innerB.slice(j, nextJ)), start + i, start + j);
      if (nextI < innerA.length) pairs.push([start + nextI, start + nextJ]);
      i = nextI + 1;
      j = nextJ + 1;
    }
  } else if (innerA.length * innerB.length <= kMostCells) {
    add(commonOfShort(innerA, innerB), start, start);
  }
  for (let k = end; k > 0; --k) pairs.push([a.length - k, b.length - k]);
  return pairs;
}

// The rows of the difference: {kind: "kept" | "removed" | "added", line}.
function difference(a, b) {
  const rows = [];
  let i = 0, j = 0;
  for (const [nextI, nextJ] of [...commonLines(a, b), [a.length, b.length]]) {
    for (; i < nextI; ++i) rows.push({kind: "removed", line: a[i]});
    for (; j < nextJ; ++j) rows.push({kind: "added", line: b[j]});
    if (i < a.length && j < b.length && i === nextI && j === nextJ) {
      rows.push({kind: "kept", line: a[i]});
      ++i;
      ++j;
    }
  }
  return rows;
}

// Where two lines differ: [start, end of a's part, end of b's part].
function differingPart(a, b) {
  let start = 0, end = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  while (end < a.length - start && end < b.length - start &&
         a[a.length - 1 - end] === b[b.length - 1 - end])
    ++end;
  return [start, a.length - end, b.length - end];
}

if (typeof module !== "undefined") module.exports = {difference, differingPart};
