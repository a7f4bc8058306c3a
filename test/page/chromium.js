// A headless Chromium, driven through its DevTools protocol on two pipes: no package is needed.
const {spawn} = require("node:child_process");
const {mkdtempSync, rmSync} = require("node:fs");
const {tmpdir} = require("node:os");
const {join} = require("node:path");

class Chromium {
  constructor(program) {
    this.folder = mkdtempSync(join(tmpdir(), "chromium-"));
    this.process = spawn(
        program,
        [
          "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
          "--remote-debugging-pipe", `--user-data-dir=${this.folder}`
        ],
        {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    this.waiting = new Map();
    this.listeners = [];
    this.last = 0;
    let text = "";
    this.process.stdio[4].setEncoding("utf8");
    this.process.stdio[4].on("data", part => {
      text += part;
      const messages = text.split("\0");
      text = messages.pop();
      for (const message of messages) this.receive(JSON.parse(message));
    });
  }

  receive(message) {
    for (const listener of this.listeners) listener(message);
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if (message.error)
      waiting.reject(new Error(message.error.message));
    else
      waiting.resolve(message.result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.last;
    this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId}) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  // Opens a page; `problems` collects errors of the console and exceptions.
  async open(url, {width = 1400, height = 900, dark = false} = {}) {
    const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await this.send("Target.attachToTarget", {targetId, flatten: true});
    const page = {problems: [], send: (method, params) => this.send(method, params, sessionId)};
    const loaded = new Promise(resolve => this.listeners.push(message => {
      if (message.sessionId !== sessionId) return;
      if (message.method === "Page.loadEventFired") resolve();
      if (message.method === "Runtime.exceptionThrown")
        page.problems.push(message.params.exceptionDetails.exception.description);
      if (message.method === "Runtime.consoleAPICalled" && message.params.type === "error")
        page.problems.push(message.params.args.map(argument => argument.value).join(" "));
      if (message.method === "Network.requestWillBeSent" &&
          !message.params.request.url.startsWith("file:"))
        page.problems.push(`a request to ${message.params.request.url}`);
    }));
    await page.send("Page.enable");
    await page.send("Runtime.enable");
    await page.send("Network.enable");
    await page.send(
        "Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false});
    await page.send(
        "Emulation.setEmulatedMedia",
        {features: [{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]});
    const start = Date.now();
    await page.send("Page.navigate", {url});
    await loaded;
    page.milliseconds = Date.now() - start;
    // The value of an expression; what it throws is thrown here.
    page.evaluate = async expression => {
      const result = await page.send(
          "Runtime.evaluate", {expression, awaitPromise: true, returnByValue: true});
      if (result.exceptionDetails)
        throw new Error(`${expression}: ${result.exceptionDetails.exception.description}`);
      return result.result.value;
    };
    page.screenshot = async () => {
      const {data} = await page.send("Page.captureScreenshot", {format: "png"});
      return Buffer.from(data, "base64");
    };
    page.press = async key => {
      const codes = {Enter: 13, ArrowDown: 40, ArrowUp: 38, ArrowLeft: 37, ArrowRight: 39, Tab: 9};
      const params = {key, code: key, windowsVirtualKeyCode: codes[key]};
      if (key === "Enter") params.text = "\r";
      await page.send("Input.dispatchKeyEvent", {type: "keyDown", ...params});
      await page.send("Input.dispatchKeyEvent", {type: "keyUp", ...params});
    };
    return page;
  }

  async close() {
    await this.send("Browser.close").catch(() => {});
    await new Promise(resolve => this.process.once("exit", resolve));
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 5});
  }
}

module.exports = {Chromium};
