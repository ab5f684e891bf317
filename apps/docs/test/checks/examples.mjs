import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";

const examples = new URL("../../../../examples/", import.meta.url);

/** The examples that import nothing but `listwatch`, so that a page can run them. */
function exampleNames() {
  const foreign = /from "(?!listwatch(?:"|\/(?!node)))/;
  const names = ["", "build-your-own/", "testing/", "tutorial/"]
    .flatMap((folder) => readdirSync(new URL(folder, examples)).map((file) => folder + file))
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => !foreign.test(readFileSync(new URL(file, examples), "utf8")));
  return new Set(names.map((file) => file.replace(".ts", "")));
}

function expectedOutput(name) {
  return readFileSync(new URL(`${name}.out`, examples), "utf8").trimEnd();
}

async function runExample(page, name) {
  const example = page.locator(`live-example[data-name="${name}"]`);
  await example.locator("button.run").click();
  await page.waitForSelector(`live-example[data-name="${name}"][data-state="done"]`);
  return (await example.locator(".output").textContent())?.trimEnd();
}

/** Pages that run examples at the same time: most of the time an example waits. */
const pagesAtOnce = 3;

/** Runs the examples of all pages. @returns their names */
async function runExamples({ check, goto, openBeside, openPage, written }) {
  const seen = new Set();
  const waiting = written.values();
  const first = await openPage();
  const walk = async (page) => {
    for (const path of waiting) {
      await goto(page, path);
      const names = await page
        .locator("live-example")
        .evaluateAll((elements) => elements.map((element) => element.dataset["name"]));
      for (const name of names) {
        seen.add(name);
        await check(`${path}: the example "${name}" prints what CI asserts`, async () => {
          const shown = page.locator(`live-example[data-name="${name}"] .output`);
          assert.equal((await shown.textContent())?.trimEnd(), expectedOutput(name));
          assert.equal(await runExample(page, name), expectedOutput(name));
        });
      }
    }
  };
  // One context for all, which keeps what the examples load.
  const others = Array.from({ length: pagesAtOnce - 1 }, () => openBeside(first));
  await Promise.all([first, ...(await Promise.all(others))].map(walk));
  await first.context().close();
  return seen;
}

/** Every example runs on its page, and prints what CI asserts; it can be changed and stopped. */
export async function checkExamples(context) {
  const { check, goto, openPage, readPages, site } = context;
  const seen = await runExamples(context);
  await check("no page has an empty block of code or a fence that was not understood", async () => {
    for (const [path, { blocks, text }] of await readPages()) {
      for (const block of blocks) assert.notEqual(block.trim(), "", `${path} has an empty block`);
      assert.ok(!text.includes("```"), `${path} shows a fence`);
    }
  });

  await check("every example that runs in a browser is on a page", () => {
    assert.deepEqual(seen, exampleNames());
  });

  await check("an example can be changed, stopped in an endless loop, and reset", async () => {
    const page = await openPage();
    await goto(page, `${site.base}/understand/queues/`);
    const example = page.locator('live-example[data-name="real-fifo"]');
    const state = (wanted) =>
      page.waitForSelector(`live-example[data-name="real-fifo"][data-state="${wanted}"]`);
    await example.locator("button.edit").click();
    const editor = example.locator(".cm-content");
    const type = async (text) => {
      await editor.click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    };

    await type("const answer: number = 6 * 7;\nconsole.log(answer, { a: [1] });");
    await page.keyboard.press("Control+Enter");
    await state("done");
    assert.equal(await example.locator(".output").textContent(), "42 { a: [ 1 ] }\n");

    await type('import "node:fs";');
    await example.locator("button.run").click();
    await state("done");
    assert.match(await example.locator(".output").textContent(), /Couldn't import "node:fs"/);

    await type('console.log("before");\nfor (;;) {}');
    await example.locator("button.run").click();
    await example.locator(".output", { hasText: "before" }).waitFor();
    assert.equal(await page.evaluate(() => 1 + 1), 2);
    await example.locator("button.stop").click();
    await state("stopped");

    await example.locator("button.reset").click();
    assert.equal(await runExample(page, "real-fifo"), expectedOutput("real-fifo"));
    await page.context().close();
  });
}
