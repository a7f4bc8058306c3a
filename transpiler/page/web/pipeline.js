// A loop whose copies run ahead of its computation, as a timeline that can be stepped through.

const kIterations = 8;

// When each iteration's copies start and end, and when it computes. A computation takes one unit of
// time and a copy `duration`. Without a ring (asynchronous copies), an iteration starts the copies
// of the one stages - 1 later; with a ring, the producer warp refills a stage as soon as its
// readers have released it.
function schedule(stages, duration, isRing, iterations = kIterations) {
  const all = [];
  const ahead = isRing ? stages : stages - 1;
  for (let t = 0; t < iterations; ++t) {
    const before = all[t - 1], freed = all[t - ahead];
    let copy = 0;
    if (ahead === 0)
      copy = before ? before.end : 0;
    else if (freed)
      copy = isRing ? freed.end : freed.start;
    const ready = copy + duration, start = Math.max(ready, before ? before.end : 0);
    all.push({stage: t % stages, copy, ready, start, end: start + 1});
  }
  return all;
}

// The units of time in which nothing computes, but for the first copy.
function stalls(all) {
  return all[all.length - 1].end - all.length - all[0].start;
}

class PipelineView {
  constructor(page, panel) {
    this.page = page;
    this.kernel = choice("Kernel", page.kernels.map(kernelTitle), () => this.chooseKernel());
    this.bufferBox = element("span");
    this.stages = new Slider("num_stages", () => this.draw());
    this.duration = new Slider("units of time that a copy takes", () => this.draw());
    this.time = new Slider("time", () => this.draw());
    this.result = element("div", {class: "scrolled", "aria-live": "polite"});
    this.controls =
        element("div", {class: "controls"}, this.stages.box, this.duration.box, this.time.box);
    panel.append(
        element(
            "div", {class: "bar"},
            element(
                "p", {},
                "Global memory answers late. So a pipelined loop starts the copies of later iterations to " +
                    "shared memory early, and computes meanwhile. Each buffer has several stages, which take turns.")),
        element(
            "div", {class: "picture", tabindex: "0", role: "group", "aria-label": "Pipeline"},
            element("div", {class: "controls"}, this.kernel.box, this.bufferBox), this.controls,
            this.result));
    this.chooseKernel();
  }

  chooseKernel() {
    const kernel = this.page.kernels[Number(this.kernel.select.value) || 0];
    const all = kernel ? kernel.shared : [];
    this.buffers =
        all.map(
               (buffer, i) =>
                   ({...buffer, isRing: kernel.rings.some(ring => ring.buffers.includes(i))}))
            .filter(buffer => buffer.stages > 1);
    const {box} = choice(
        "Buffer", this.buffers.map(buffer => `${buffer.name}, ${buffer.stages} stages`),
        i => this.chooseBuffer(i));
    this.bufferBox.replaceChildren(box);
    this.controls.hidden = this.bufferBox.hidden = this.buffers.length === 0;
    if (this.buffers.length > 0) return this.chooseBuffer(0);
    this.result.replaceChildren(element(
        "p", {},
        "This kernel has no pipelined loop: no buffer of shared memory has several stages."));
  }

  chooseBuffer(index) {
    this.buffer = this.buffers[index];
    this.stages.set(upTo(8).map(i => i + 1), this.buffer.stages);
    this.duration.set([1, 2, 3, 4, 6, 8], 2);
    this.time.set([0], 0);
    this.draw();
  }

  draw() {
    const {isRing} = this.buffer, stages = this.stages.value;
    const all = schedule(stages, this.duration.value, isRing), end = all[all.length - 1].end;
    this.time.set(upTo(end), Math.min(this.time.value, end - 1));
    const waits = stalls(all);
    this.result.replaceChildren(
        element(
            "p", {},
            isRing ?
                "A producer warp starts the copies (TMA). It waits at the barrier `empty` of a stage " +
                    "until its readers have released it; they wait at `full` until its bytes have come." :
                "The threads themselves start the copies (cp.async). Before an iteration each thread waits for its " +
                    "own copies. Then all threads of the block meet at one barrier: after it, everybody's " +
                    "copies have come, and everybody has read the stage of the iteration before, so that " +
                    "it may be filled again."),
        element(
            "p", {},
            `With ${stages} stage${stages > 1 ? "s" : ""}, ${kIterations} iterations take ${
                end} units of time; the computation waits ` +
                `${waits} unit${
                    waits === 1 ? "" :
                                  "s"} after the first copy. One after the other, they would take ${
                    kIterations *
                    (this.duration.value + 1)}. A unit is the computation of one iteration.`),
        this.picture(all, stages, end), element("p", {}, this.said(all, stages)));
  }

  // What happens at the chosen time.
  said(all, stages) {
    const now = this.time.value, parts = [];
    const computing = all.findIndex(each => each.start <= now && now < each.end);
    parts.push(
        computing < 0 ? "nothing computes" :
                        `iteration ${computing} computes with stage ${all[computing].stage}`);
    all.forEach((each, t) => {
      if (each.copy <= now && now < each.ready)
        parts.push(`the copy of iteration ${t} to stage ${each.stage} is in flight`);
      else if (each.ready <= now && now < each.start)
        parts.push(`stage ${each.stage} is ready for iteration ${t}`);
    });
    return `At time ${now}: ${parts.join("; ")}.`;
  }

  picture(all, stages, end) {
    const left = 74, unit = Math.max(16, Math.min(44, Math.floor(900 / end))), height = 26;
    const width = left + end * unit + 4, bottom = (stages + 1) * height + 20;
    const picture = svg("svg", {
      viewBox: `0 0 ${width} ${bottom}`,
      width,
      height: bottom,
      role: "img",
      class: "timeline",
      "aria-label": `Timeline of ${stages} stages and ${kIterations} iterations`
    });
    const bar = (row, from, to, kind, text) => {
      const x = left + from * unit;
      if (to > from)
        picture.append(
            svg("rect", {
              x: x + 1,
              y: row * height + 2,
              width: (to - from) * unit - 2,
              height: height - 4,
              class: kind
            }),
            svg("text",
                {x: x + (to - from) * unit / 2, y: row * height + 17, "text-anchor": "middle"},
                text));
    };
    for (let stage = 0; stage < stages; ++stage)
      picture.append(svg("text", {x: 4, y: stage * height + 17}, `stage ${stage}`));
    picture.append(svg("text", {x: 4, y: stages * height + 17}, "compute"));
    all.forEach((each, t) => {
      bar(each.stage, each.copy, each.ready, "copying", String(t));
      bar(each.stage, each.ready, each.start, "ready", "");
      bar(each.stage, each.start, each.end, "computing", String(t));
      bar(stages, each.start, each.end, "computing", String(t));
    });
    for (let time = 0; time < end; time += unit < 24 ? 4 : 1)
      picture.append(svg(
          "text", {x: left + time * unit, y: bottom - 4, "text-anchor": "middle"}, String(time)));
    const x = left + (this.time.value + 0.5) * unit;
    picture.append(svg("line", {x1: x, x2: x, y1: 0, y2: bottom - 16, class: "now"}));
    const box = element(
        "figure", {}, picture,
        element(
            "figcaption", {class: "note"},
            "Numbers are iterations. Blue: a copy is in flight; dashed: its stage is ready; " +
                "yellow: its iteration computes."));
    return box;
  }
}

if (typeof module !== "undefined") module.exports = {schedule, stalls};
