import assert from "node:assert/strict";

/** What the console of an example shows, and that no program stops the page. */
export async function checkConsole({ check, goto, openPage, site }) {
  const name = "real-fifo";
  const page = await openPage();
  await goto(page, `${site.base}/guides/queues/`);
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
    // What a check that failed has left running.
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

  await check(
    "an endless loop that prints leaves the page usable, and stops within 1 s",
    async () => {
      await start("for (let i = 0; ; i++) console.log(i);");
      await output.locator(".warn", { hasText: "lines are not shown" }).waitFor();
      // Frames of a page that is busy with the lines are all late, of a busy machine one is.
      const answersMs = await page.evaluate(async () => {
        const frames = [];
        for (let frame = 0; frame < 10; frame++) {
          const beforeMs = performance.now();
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          frames.push(performance.now() - beforeMs);
        }
        return frames;
      });
      const answerMs = answersMs.toSorted((a, b) => a - b)[5];
      assert.ok(answerMs < 1000, `the page was busy for ${answersMs.join(", ")} ms`);
      const stopMs = await page.evaluate(async (selector) => {
        const beforeMs = performance.now();
        const element = document.querySelector(selector);
        element.querySelector("button.stop").click();
        while (element.dataset.state !== "stopped") {
          await new Promise((resolve) => setTimeout(resolve));
        }
        return performance.now() - beforeMs;
      }, `live-example[data-name="${name}"]`);
      assert.ok(stopMs < 1000, `it stopped after ${stopMs} ms`);
      const lines = (await output.textContent()).trimEnd().split("\n");
      assert.ok(lines.length <= 501, `${lines.length} lines`);
      assert.equal(lines[0], "0");
    },
  );

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
