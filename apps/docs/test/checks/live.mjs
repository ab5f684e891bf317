import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { viewports } from "../browser.mjs";
import { violationsOf } from "./layout.mjs";

const name = "real-fifo";
const selector = `live-example[data-name="${name}"]`;

/** Opens the page with the example, and returns what the checks do on it. */
async function openExample({ goto, openPage, pageOf }, options) {
  const page = await openPage(options);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await goto(page, pageOf(name));
  const example = page.locator(selector);
  const press = (button) => example.locator(`button.${button}`).click();
  const state = (wanted) => page.waitForSelector(`${selector}[data-state="${wanted}"]`);
  const write = async (program) => {
    if (!(await example.locator(".cm-content").isVisible())) await press("edit");
    await example.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText(program);
  };
  const print = async () => {
    await press("run");
    await state("done");
    return example.locator(".output").textContent();
  };
  const close = () => page.context().close();
  const text = (part) => example.locator(`> * > ${part}, > ${part}`).first().textContent();
  return { close, example, page, press, print, text, write };
}

/** The editor, saved and linked programs, the state of the server, and the two forms of imports. */
export async function checkLive(context) {
  const { written } = context;
  const pages = new Map();
  const pageOf = (example) => {
    if (pages.size === 0) {
      for (const path of written) {
        const file = new URL(
          `../../dist/${path.split("/").slice(2).join("/")}index.html`,
          import.meta.url,
        );
        const found = readFileSync(file, "utf8").matchAll(/<live-example[^>]*data-name="([^"]+)"/g);
        for (const [, shown] of found) if (!pages.has(shown)) pages.set(shown, path);
      }
    }
    return pages.get(example);
  };
  const all = { ...context, pageOf };
  await checkEditor(all);
  await checkSaved(all);
  await checkLinks(all);
  await checkConfinement(all);
  await checkServers(all);
  await checkPackages(all);
}

async function checkEditor(context) {
  const { check } = context;
  await check("the editor completes members, and shows errors with their lines", async () => {
    const { close, example, page, print, write } = await openExample(context);
    await write(
      'import { foo, SharedInformer } from "listwatch";\ndeclare const one: SharedInformer;\none',
    );
    await page.keyboard.type(".");
    const completion = page.locator(".cm-tooltip-autocomplete li", { hasText: "addEventHandler" });
    await completion.waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.type("size.length");
    await page.keyboard.press("Escape");
    const problems = example.locator(".problems li");
    await problems.filter({ hasText: /^Line 1: .*'foo'/ }).waitFor();
    await problems.filter({ hasText: /^Line 3: .*'size'/ }).waitFor();
    assert.ok((await example.locator(".cm-lintRange-error").count()) >= 2, "no squiggles");
    await page
      .locator(".cm-content span", { hasText: /^SharedInformer$/ })
      .first()
      .hover();
    await page.locator(".cm-tooltip-hover .description", { hasText: "SharedInformer<" }).waitFor();
    assert.deepEqual(await violationsOf(page, "editor"), []);
    assert.equal(
      await print(),
      'SyntaxError: Couldn\'t import "foo" from "listwatch" at line 1: it has no such export\n',
    );
    await write('import {\n  RealFifo,\n} from "listwatch";');
    assert.match(await print(), /at line 2: it has no such export; did you mean "RealFIFO"\?/);
    await close();
  });
}

async function checkSaved(context) {
  const { check } = context;
  await check("a changed program survives a reload, until Reset", async () => {
    const { close, example, page, press, print, text, write } = await openExample(context);
    const original = await text(".output");
    assert.equal(await text(".label"), "Expected output");
    await write('console.log("mine");');
    await page.reload();
    assert.match(await text("div.code"), /^console\.log\("mine"\);$/);
    assert.match(await text(".note"), /your changed version/);
    assert.equal(await print(), "mine\n");
    assert.equal(await text(".label"), "Output");
    await press("reset");
    assert.ok(!(await example.locator(".note").isVisible()));
    assert.equal((await print()).trimEnd(), original.trimEnd());
    await page.reload();
    assert.equal((await print()).trimEnd(), original.trimEnd());
    await close();
  });
}

async function checkLinks(context) {
  const { check } = context;
  await check("a program travels in a link, is marked, and runs after a press alone", async () => {
    const sender = await openExample(context);
    await sender.write('console.log("sent", location.pathname.length > 0);');
    await sender.press("share");
    await sender.example.locator(".note", { hasText: "in the clipboard" }).waitFor();
    const link = await sender.page.evaluate(() => navigator.clipboard.readText());
    await sender.close();

    const { close, example, page, press, print, text } = await openExample(context);
    const original = await text(".output");
    await page.goto(link);
    await example.locator(".note", { hasText: "came with the link" }).waitFor();
    assert.match(await text("div.code"), /^console\.log\("sent"/);
    assert.equal(await text(".output"), original);
    assert.equal(await example.getAttribute("data-state"), "ready");
    assert.deepEqual(await violationsOf(page, "link"), []);
    assert.equal(await print(), "sent true\n");
    await press("reset");
    assert.equal(new URL(page.url()).hash, "");
    for (const [hash, note] of [
      [new URL(link).hash.slice(0, -4), "cannot be read"],
      [`#program=${name}:AAAA`, "cannot be read"],
      ["#program=other:AAAA", "not on this page"],
    ]) {
      await page.goto(`${page.url().split("#")[0]}${hash}`);
      await page.locator("live-example .note", { hasText: note }).waitFor();
      assert.doesNotMatch(await text("div.code"), /sent/);
    }
    await close();
  });
}

async function checkConfinement(context) {
  const { check } = context;
  await check("a program reaches no network, no storage, no other code", async () => {
    const { close, print, write } = await openExample(context);
    await write(`const tries: Record<string, () => unknown> = {
  fetch: () => fetch("/listwatch/"),
  constructed: () => (async () => {}).constructor("return import('/listwatch/og.png')")(),
  named: () => new Function("return 1")(),
  evaluated: () => (0, eval)("1"),
  timer: () => Object.getPrototypeOf(Object.getPrototypeOf(self)).setTimeout?.("1"),
  imported: () => import("https://example.com/a.js"),
  inherited: () => WorkerGlobalScope.prototype.fetch("/listwatch/"),
};
for (const [name, run] of Object.entries(tries)) {
  try { await run(); console.log(name, "worked"); } catch { console.log(name, "refused"); }
}
const names = ["indexedDB", "caches", "XMLHttpRequest", "WebSocket", "EventSource", "Worker",
  "BroadcastChannel", "importScripts", "WebTransport", "FontFace", "fonts"];
console.log(names.filter((name) => (self as any)[name] !== undefined), (navigator as any).storage);
console.log([() => {}, async () => {}]);`);
    assert.deepEqual((await print()).trimEnd().split("\n"), [
      "fetch refused",
      "constructed refused",
      "named refused",
      "evaluated refused",
      "timer refused",
      "imported refused",
      "inherited refused",
      "[] undefined",
      "[ [Function (anonymous)], [AsyncFunction (anonymous)] ]",
    ]);
    await close();
  });
}

async function checkServers(context) {
  const { check, goto, openPage, pageOf } = context;
  await check(
    "objects, watches and requests of the fake server are beside the output",
    async () => {
      for (const viewport of [viewports[0], viewports[2]]) {
        const page = await openPage(viewport);
        await goto(page, pageOf("first-informer"));
        const example = page.locator('live-example[data-name="first-informer"]');
        assert.ok(!(await example.locator(".servers").isVisible()));
        await example.locator("button.run").click();
        await page.waitForSelector('live-example[data-name="first-informer"][data-state="done"]');
        const rows = example.locator(".servers tr");
        await rows.filter({ hasText: /^Namespaceshop\d+$/ }).waitFor();
        await rows.filter({ hasText: /^201POST \/api\/v1\/namespaces\b/ }).waitFor();
        const [output, servers] = await Promise.all(
          [".output", ".servers"].map((part) => example.locator(part).boundingBox()),
        );
        const isBeside = Math.abs(output.y - servers.y) < 2;
        assert.equal(isBeside, viewport !== viewports[2]);
        assert.deepEqual(await violationsOf(page, "servers"), []);
        await page.context().close();
      }
    },
  );
}

async function checkPackages(context) {
  const { check, goto, openPage, pageOf, site } = context;
  await check(
    "a program switches to single layers and runs so, and other pages keep the choice",
    async () => {
      const page = await openPage();
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await goto(page, pageOf("first-informer"));
      const example = page.locator('live-example[data-name="first-informer"]');
      const shown = async () =>
        (await example.locator("> .code").innerText()).replaceAll("\u00A0", " ");
      assert.match(await shown(), /from "listwatch"/);
      assert.doesNotMatch(await shown(), /@listwatch/);
      const output = await example.locator(".output").textContent();
      // By keys, as any button.
      await example.locator("button", { hasText: "single layers" }).focus();
      await page.keyboard.press("Enter");
      assert.match(await shown(), /from "@listwatch\/shared-informer"/);
      assert.doesNotMatch(await shown(), /from "listwatch/);
      await example.locator("button.edit").click();
      assert.match(await example.locator(".cm-content").innerText(), /from "@listwatch\/client"/);
      await example.locator("button.run").click();
      await page.waitForSelector('live-example[data-name="first-informer"][data-state="done"]');
      assert.equal((await example.locator(".output").textContent()).trimEnd(), output.trimEnd());
      await example.locator("button", { hasText: /^listwatch$/ }).click();
      assert.match(await example.locator(".cm-content").innerText(), /from "listwatch"/);
      await example.locator("button", { hasText: "single layers" }).click();
      await checkStatic(page, goto, site);
      await page.context().close();
    },
  );
}

/** Blocks of other pages keep the choice, and the button copies what is shown. */
async function checkStatic(page, goto, site) {
  await goto(page, `${site.base}/start/getting-started/`);
  const install = page.locator(".expressive-code", { hasText: "npm install" }).first();
  assert.match(await install.innerText(), /npm install .*@listwatch\/shared-informer/);
  const block = page.locator("[data-has-layers]", { hasText: "SharedInformerFactory" }).first();
  assert.match(await block.locator("pre").innerText(), /"@listwatch\/shared-informer"/);
  const copied = await block.locator(".copy button").getAttribute("data-code");
  assert.match(copied, /"@listwatch\/shared-informer"/);
  assert.doesNotMatch(copied, /from "listwatch"/);
}
