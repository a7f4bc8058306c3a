// Starts the page: the views as tabs, and the colours.

// The views: [id, title, what makes it].
const kViews = [
  ["code", "Source and CUDA", (page, panel) => new CodeView(page, panel)],
  ["layouts", "Layouts", (page, panel) => new TileView(page, panel)],
  ["memory", "Memory", (page, panel) => new MemoryView(page, panel)],
  ["pipeline", "Pipeline", (page, panel) => new PipelineView(page, panel)],
  ["resources", "Resources", (page, panel) => new ResourceView(page, panel)],
  ["passes", "Passes", (page, panel) => new PassView(page, panel)],
  ["words", "Words", (page, panel) => new WordView(panel)],
];

class Tabs {
  constructor(page) {
    this.page = page;
    this.tabs = new Map();
    this.views = new Map();
    const list = document.getElementById("tabs");
    for (const [id, title] of kViews) {
      const tab = element(
          "button", {
            type: "button",
            role: "tab",
            id: `tab-${id}`,
            "aria-controls": id,
            "aria-selected": "false"
          },
          title);
      const panel = element("section", {role: "tabpanel", id, "aria-labelledby": `tab-${id}`});
      tab.addEventListener("click", () => this.show(id));
      this.tabs.set(id, {tab, panel});
      list.append(tab);
      document.getElementById("views").append(panel);
    }
    list.addEventListener("keydown", event => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (!step) return;
      const ids = [...this.tabs.keys()];
      const next = ids[(ids.indexOf(this.current) + step + ids.length) % ids.length];
      this.show(next);
      this.tabs.get(next).tab.focus();
    });
    addEventListener("hashchange", () => this.showHash());
    this.showHash();
  }

  showHash() {
    const id = location.hash.slice(1);
    this.show(this.tabs.has(id) ? id : kViews[0][0]);
  }

  // A view is made when it is first shown.
  show(id) {
    this.current = id;
    for (const [each, {tab, panel}] of this.tabs) {
      tab.setAttribute("aria-selected", String(each === id));
      tab.tabIndex = each === id ? 0 : -1;
      panel.hidden = each !== id;
    }
    if (!this.views.has(id)) {
      const make = kViews.find(view => view[0] === id)[2];
      this.views.set(id, make(this.page, this.tabs.get(id).panel));
    }
    const view = this.views.get(id);
    if (view.open) view.open();
    if (location.hash.slice(1) !== id && (location.hash || id !== kViews[0][0]))
      history.replaceState(null, "", `#${id}`);
  }
}

// The button goes round: the system's colours, light, dark.
function startTheme() {
  const button = document.getElementById("theme"), names = ["system", "light", "dark"];
  let at = 0;
  button.addEventListener("click", () => {
    at = (at + 1) % names.length;
    button.textContent = `Colours: ${names[at]}`;
    if (at === 0)
      delete document.documentElement.dataset.theme;
    else
      document.documentElement.dataset.theme = names[at];
  });
}

function start() {
  const page = JSON.parse(document.getElementById("document").textContent);
  document.getElementById("about").textContent =
      `as ${page.cuda.name} for ${page.targets.join(", ")}, by tile2cu ${page.version}`;
  startTheme();
  new Tabs(page);
}

start();
