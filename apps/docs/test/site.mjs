/**
 * Checks the built site in a browser: `npm run test:site` in the repository. Every example runs and
 * prints what the tests assert, links resolve, the search finds, nothing is asked of another host.
 * Screenshots go to test-results/.
 */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { brokenLinks, pagePaths, serveSite } from "./site-files.mjs";

const screenshots = new URL("../../../test-results/site/", import.meta.url).pathname;
const examples = new URL("../../../examples/", import.meta.url);
const timeout = 20_000;
const viewports = [
  { name: "light", width: 1280, height: 900, colorScheme: "light" },
  { name: "dark", width: 1280, height: 900, colorScheme: "dark" },
  { name: "phone", width: 390, height: 844, colorScheme: "light" },
];

let passed = 0;
let failed = 0;

async function check(name, run) {
  try {
    await run();
    passed++;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  }
}

const site = await serveSite();
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
mkdirSync(screenshots, { recursive: true });

const problems = [];

/** A page that notes everything that goes wrong on it. */
async function openPage(options = viewports[0]) {
  const { width, height, colorScheme } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  context.setDefaultTimeout(timeout);
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (url.startsWith(site.origin) || url.startsWith("data:") || url.startsWith("blob:")) return;
    problems.push(`${page.url()} asks another host: ${url}`);
  });
  return page;
}

async function goto(page, path) {
  await page.goto(site.origin + path, { waitUntil: "load" });
}

/** The examples that import nothing but packages and helpers, so that a page can run them. */
function exampleNames() {
  const foreign = /from "(?!@listwatch\/|\.\.\/support\/)/;
  const names = ["", "build-your-own/"]
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

const paths = pagePaths();
const written = paths.filter((path) => !path.includes("/api/"));

await check(`every link of ${paths.length} pages leads somewhere`, () => {
  assert.deepEqual(brokenLinks(), []);
});

const seen = new Set();
for (const path of written) {
  const page = await openPage();
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
  await page.context().close();
}

await check("no page has an empty block of code or a fence that was not understood", async () => {
  const page = await openPage();
  for (const path of written) {
    await goto(page, path);
    const blocks = await page.locator(".expressive-code pre").allTextContents();
    for (const block of blocks) assert.notEqual(block.trim(), "", `${path} has an empty block`);
    assert.ok(!(await page.locator("main").innerText()).includes("```"), `${path} shows a fence`);
  }
  await page.context().close();
});

await check("every example that runs in a browser is on a page", () => {
  assert.deepEqual(seen, exampleNames());
});

await check("an example can be changed, stopped in an endless loop, and reset", async () => {
  const page = await openPage();
  await goto(page, `${site.base}/guides/queues/`);
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
  assert.equal(await example.locator(".output").textContent(), '42 {"a":[1]}\n');

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

await check("the search finds a guide and an API page without a server", async () => {
  const page = await openPage();
  await goto(page, `${site.base}/`);
  await page.locator("button[data-open-modal]").click();
  const results = page.locator(".pagefind-ui__result-link");
  const input = page.locator(".pagefind-ui__search-input");
  await input.fill("assertConsumed");
  await results.filter({ hasText: "Fake API server" }).first().waitFor();
  await input.fill("SimulatedClock");
  await results.filter({ hasText: "SimulatedClock" }).first().waitFor();
  await page.screenshot({ path: `${screenshots}search.png` });
  await page.context().close();
});

for (const viewport of viewports) {
  await check(`no page is wider than the window: ${viewport.name}`, async () => {
    const page = await openPage(viewport);
    for (const path of [...written, `${site.base}/api/core-fifo/classes/realfifo/`]) {
      await goto(page, path);
      const { content, width } = await page.evaluate(() => ({
        content: document.documentElement.scrollWidth,
        width: document.documentElement.clientWidth,
      }));
      assert.ok(content <= width, `${path} is ${content} wide in a window of ${width}`);
      const name = path.slice(site.base.length + 1).replaceAll("/", "-") || "home-";
      await page.screenshot({ path: `${screenshots}${name}${viewport.name}.png`, fullPage: true });
    }
    await page.context().close();
  });
}

await check("no page had an error or asked another host", () => {
  assert.deepEqual(problems, []);
});

await browser.close();
await site.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
