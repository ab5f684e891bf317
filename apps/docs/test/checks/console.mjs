import assert from "node:assert/strict";

/** Checks the console of an example, and that no program blocks the page. */
export async function checkConsole({ check, goto, openPage, site }) {
  const name = "real-fifo";
  const page = await openPage();
  await goto(page, `${site.base}/understand/queues/`);
  const example = page.locator(`live-example[data-name="${name}"]`);
  const output = example.locator(".output");
  const state = (wanted) =>
    page.waitForSelector(`live-example[data-name="${name}"][data-state="${wanted}"]`);
  await example.locator("button.edit").click();
  const stop = async () => {
    await example.locator("button.stop").click();
    await state("stopped");
  };
  const start = async (program) => {
    // Stops a program of an earlier, failed check.
    if ((await example.getAttribute("data-state")) === "running") await stop();
    await example.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(program);
    await example.locator("button.run").click();
  };
  const print = async (program) => {
    await start(program);
    await state("done");
    return output.textContent();
  };

  await check("an endless loop that prints leaves the page usable, and stops at once", async () => {
    await page.evaluate(countMessages);
    await start("for (let i = 0; ; i++) console.log(i);");
    await output.locator(".warn", { hasText: "lines are not shown" }).waitFor();
    const selector = `live-example[data-name="${name}"]`;
    const { frames, lines, renders } = await page.evaluate(countRenders, selector);
    // One more may fall between the last frame and the end of the count.
    assert.ok(renders <= frames + 1, `${renders} renders in ${frames} frames`);
    assert.ok(lines <= 501, `${lines} lines in one render`);
    const { messages, mostMessages } = await page.evaluate(() => globalThis.counted());
    assert.ok(messages <= mostMessages, `${messages} messages, expected ${mostMessages} or less`);
    const stopped = await page.evaluate((stopping) => {
      const element = document.querySelector(stopping);
      element.querySelector("button.stop").click();
      return element.dataset.state;
    }, selector);
    assert.equal(stopped, "stopped");
    const shown = (await output.textContent()).trimEnd().split("\n");
    assert.ok(shown.length <= 501, `${shown.length} lines`);
    assert.equal(shown[0], "0");
  });

  await check("a program runs until it is stopped when a timer goes on", async () => {
    await start(
      'let i = 0; setInterval(() => console.log("tick", i++), 20); console.log("returned");',
    );
    // All of the line: on a busy machine "tick 30" is there, too.
    await output.locator(".log", { hasText: /^tick 3\s*$/ }).waitFor();
    assert.equal(await example.getAttribute("data-state"), "running");
    await stop();
  });

  await check("an informer without a last await prints as it goes", async () => {
    await start(`import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
const { fetch } = new FakeApiServer();
const connection = createConnection({ server: "http://127.0.0.1:8001", fetch });
const resource = { group: "", version: "v1", resource: "namespaces" };
const informer = new SharedInformer({ listerWatcher: httpListerWatcher({ connection, resource }) });
informer.addEventHandler({ onAdd: (added) => console.log("added", added.metadata?.name) });
void informer.run(new AbortController().signal);`);
    await output.locator(".log", { hasText: "added default" }).waitFor();
    assert.equal(await example.getAttribute("data-state"), "running");
    await stop();
  });

  await check("a program ends with its last timer", async () => {
    assert.equal(await print('setTimeout(() => console.log("late"), 50);'), "late\n");
  });

  await check("values print as on Node", async () => {
    const program = `class Pod { name = "a"; }
console.log(new Map([["a", { b: [1] }]]), new Set([1]), new Pod(), undefined, "%s");
console.log("%s is %d", "x", 3, new Date(0), 10n, Symbol("s"), [1, , 2]);`;
    const lines = (await print(program)).trimEnd().split("\n");
    assert.deepEqual(lines, [
      "Map(1) { 'a' => { b: [ 1 ] } } Set(1) { 1 } Pod { name: 'a' } undefined %s",
      "x is 3 1970-01-01T00:00:00.000Z 10n Symbol(s) [ 1, <1 empty item>, 2 ]",
    ]);
  });

  await check("errors name line and column", async () => {
    const thrown =
      'import { RealFIFO } from "@listwatch/core-fifo";\n\nvoid RealFIFO;\nthrow new TypeError("wrong");';
    assert.equal(await print(thrown), "TypeError: wrong (at line 4, column 7)\n");
    const later =
      "const f: () => number = () => {\n  return missing.length;\n};\nsetTimeout(f, 1);";
    assert.equal(
      await print(later),
      "ReferenceError: missing is not defined (at line 2, column 3)\n",
    );
    assert.match(await print("const a = 1;\nconst b = (;"), /^SyntaxError: .*line 2, column 1\d/);
    assert.match(
      await print("const a = 1;\nconst a = 2;"),
      /^SyntaxError: .*'a'.*line 2, column 7/,
    );
    const rejected = 'console.log("on");\nvoid Promise.reject(new RangeError("far"));';
    assert.match(await print(rejected), /^on\nRangeError: far \(at line 2, column \d+\)\n$/);
  });

  await check("Escape, then Tab leaves the editor, and a hint says so", async () => {
    await start("console.log(1);");
    await state("done");
    assert.ok(await example.locator(".hint", { hasText: "Esc, then Tab" }).isVisible());
    await example.locator(".cm-content").click();
    await page.keyboard.press("Tab");
    const isInEditor = () =>
      page.evaluate(() => document.activeElement.closest(".cm-editor") !== null);
    assert.ok(await isInEditor(), "Tab indents");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.ok(!(await isInEditor()), "the focus is still in the editor");
  });

  await page.context().close();
}

/**
 * Runs in the page before a program starts. Counts the messages of workers: the page gets one in
 * 100 ms, however much the program prints, and fewer on a slow machine.
 */
function countMessages() {
  const startMs = performance.now();
  const original = Object.getOwnPropertyDescriptor(EventTarget.prototype, "addEventListener");
  let messages = 0;
  Worker.prototype.addEventListener = function add(type, ...rest) {
    if (type === "message") original.value.call(this, type, () => (messages += 1));
    original.value.call(this, type, ...rest);
  };
  globalThis.counted = () => {
    delete Worker.prototype.addEventListener;
    return { messages, mostMessages: 2 + (performance.now() - startMs) / 100 };
  };
}

/**
 * Runs in the page while a program prints without end. Counts how often the output is rendered in
 * ten frames, and how many lines one render adds at most: both are the same on a slow machine.
 */
async function countRenders(selector) {
  let [frames, lines, renders] = [0, 0, 0];
  const observer = new MutationObserver((records) => {
    renders += 1;
    const added = records.reduce((sum, { addedNodes }) => sum + addedNodes.length, 0);
    lines = Math.max(lines, added);
  });
  observer.observe(document.querySelector(`${selector} .output`), {
    childList: true,
    subtree: true,
  });
  for (; frames < 10; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
  observer.disconnect();
  return { frames, lines, renders };
}
