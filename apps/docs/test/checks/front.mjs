import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";

const root = new URL("../../../../", import.meta.url).pathname;
const source = "--conditions=@listwatch/source";

/**
 * Budgets of the first view of the front page: requests and kilobytes, compressed as by gzip.
 * `before` is the same view before it had a picture, figures and typefaces. The typefaces are 64
 * kB, the page itself with its programs and its comparison 31 kB, the search 26 kB. The worker has
 * the fake API server.
 */
const budgets = {
  "without the worker": { before: [12, 61.7], most: [17, 160] },
  "with the worker": { before: undefined, most: [19, 445] },
};

const faults = {
  break: /^reconnected after [\d.]+ s · [\d,]+ changes? caught up · /,
  compact: /^410, listed again after [\d.]+ s · [\d,]+ missed changes? delivered · /,
  slow: /^(?!0 )\d+ waited for "audit", \d+ for the others · caught up in [\d.]+ s · /,
  many: /^10,000 added in [\d.]+ s · longest queue [\d,]+ · /,
};

/** The front page: its program, its picture, and the bytes of its first view. */
export async function checkFront(context) {
  await checkProgram(context);
  await checkPicture(context);
  await checkBusyPage(context);
  await checkStillPicture(context);
  await checkWidths(context);
  await checkBudgets(context);
}

async function checkProgram({ check, goto, openPage, site }) {
  await check("the program of the front page, copied, prints the pods of a cluster", async () => {
    const page = await openPage();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await goto(page, `${site.base}/`);
    await page.locator(".program .copy button").click();
    await page.locator(".program .copy .feedback").waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await page.context().close();
    assert.match(text, /^import .* from "listwatch";/);
    assert.equal(await firstLineOf(text), "added web-0");
  });
}

/** Runs a program in a folder, against a fake API server; returns its first line. */
async function firstLineOf(text) {
  mkdirSync(`${root}test-results`, { recursive: true });
  const folder = mkdtempSync(`${root}test-results/front-`);
  const server = spawn(
    process.execPath,
    [
      source,
      `${root}packages/listwatch/src/node-cli.ts`,
      "fake",
      "--port",
      "0",
      "--kubeconfig",
      `${folder}/kubeconfig`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let program;
  try {
    const [line] = await once(createInterface(server.stdout), "line");
    const [url] = /http:\/\/[\w.:]+/.exec(line);
    await createPod(url);
    writeFileSync(`${folder}/pods.mjs`, text);
    const env = { ...process.env, KUBECONFIG: `${folder}/kubeconfig` };
    program = spawn(process.execPath, [source, "pods.mjs"], { cwd: folder, env });
    program.stderr.pipe(process.stderr);
    const [first] = await once(createInterface(program.stdout), "line");
    return first;
  } finally {
    await Promise.all([server, program].map(end));
    rmSync(folder, { recursive: true });
  }
}

async function createPod(url) {
  const response = await fetch(`${url}/api/v1/namespaces/default/pods`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      metadata: { name: "web-0" },
      spec: { containers: [{ name: "web", image: "example.com/web:1.0" }] },
    }),
  });
  assert.equal(response.status, 201, await response.text());
}

async function end(child) {
  if (child === undefined || child.exitCode !== null) return;
  const closed = once(child, "close");
  child.kill();
  await closed;
}

async function checkPicture({ check, goto, openPage, site }) {
  const page = await openPage();
  await goto(page, `${site.base}/`);
  await check("the picture starts by itself, and its cache is that of the server", async () => {
    const before = await page.locator("main").boundingBox();
    assertEqualSides(await nextProof(page));
    // The worker changes nothing but the content of the picture.
    assert.deepEqual(await page.locator("main").boundingBox(), before);
  });
  for (const [fault, pattern] of Object.entries(faults)) {
    await check(`after the button "${fault}" the cache is that of the server`, async () => {
      const before = await nextProof(page);
      await page.locator(`button[data-fault="${fault}"]`).press("Enter");
      const line = await nextProof(page, before);
      assert.match(line, pattern);
      assertEqualSides(line);
    });
  }
  await page.context().close();
}

async function checkBusyPage({ check, goto, openPage, site }) {
  await check("a page that is busy gets one state of the picture a frame", async () => {
    const page = await openPage();
    await page.addInitScript(() => {
      globalThis.states = 0;
      globalThis.Worker = class extends Worker {
        constructor(url, options) {
          super(url, options);
          this.addEventListener("message", ({ data }) => {
            if (data.kind === "state") globalThis.states++;
          });
        }
      };
    });
    await goto(page, `${site.base}/`);
    await nextProof(page);
    const received = await page.evaluate(async () => {
      const before = globalThis.states;
      const endMs = performance.now() + 1000;
      while (performance.now() < endMs);
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      return globalThis.states - before;
    });
    assert.ok(received <= 2, `${received} states in a frame`);
    await page.context().close();
  });
}

/** The line with the result of the last button, or of the start; another line than `before`. */
async function nextProof(page, before) {
  const handle = await page.waitForFunction((known) => {
    const picture = document.querySelector('live-picture[data-state="live"]:not([data-busy])');
    const line = picture?.querySelector('[role="status"]').textContent.trim();
    // A button may be done before anyone has seen that it was busy.
    return line !== known && line;
  }, before);
  return handle.jsonValue();
}

function assertEqualSides(line) {
  const [, cache, server] = /cache = server \(([\d,]+) = ([\d,]+)\)$/.exec(line) ?? [];
  assert.ok(cache !== undefined, `no equal sides in "${line}"`);
  assert.equal(cache, server, line);
  assert.notEqual(cache, "0", line);
}

async function checkStillPicture({ check, openPage, goto, site }) {
  await check("with reduced motion the numbers change and nothing moves", async () => {
    const page = await openPage({ width: 1280, height: 800, reducedMotion: "reduce" });
    await goto(page, `${site.base}/`);
    await nextProof(page);
    const called = page.locator('svg.wide [data-figure="handler-0"]');
    const before = await called.textContent();
    await page.waitForFunction(
      (text) => document.querySelector('svg.wide [data-figure="handler-0"]').textContent !== text,
      before,
    );
    assert.equal(await page.locator("live-picture .dot").count(), 0);
    const animated = await page.evaluate(
      () => document.querySelector("live-picture").getAnimations({ subtree: true }).length,
    );
    assert.equal(animated, 0);
    await page.context().close();
  });

  await check("without JavaScript the picture is still and has a caption", async () => {
    const page = await openPage({ width: 1280, height: 800, javaScriptEnabled: false });
    await goto(page, `${site.base}/`);
    const drawing = page.getByRole("img", { name: "A change moves from the API server" });
    assert.ok((await drawing.boundingBox()).width > 400);
    assert.ok(await page.locator(".proof noscript").isVisible());
    assert.equal(await page.getByRole("button", { name: "Break the connection" }).count(), 0);
    await page.context().close();
  });
}

async function checkWidths({ check, goto, openPage, site }) {
  await check("nothing of the first screen is cut at 390 px", async () => {
    const page = await openPage({ width: 390, height: 844, colorScheme: "dark" });
    await goto(page, `${site.base}/`);
    await nextProof(page);
    const cut = await page.evaluate(() => {
      const parts = document.querySelectorAll(
        ".first-screen :is(h1, p, button, li, svg.tall, svg.tall *)",
      );
      return [...parts]
        .filter((part) => part.getClientRects().length > 0)
        .filter((part) => {
          const { left, right } = part.getBoundingClientRect();
          return left < -0.5 || right > document.documentElement.clientWidth + 0.5;
        })
        .map((part) => `${part.tagName} ${part.textContent}`);
    });
    assert.deepEqual(cut, []);
    assert.ok(await page.locator(".first-screen svg.tall").isVisible());
    await page.context().close();
  });
}

async function checkBudgets({ check, goto, openPage, site }) {
  for (const [name, { before, most }] of Object.entries(budgets)) {
    await check(`the first view of the front page keeps its budget, ${name}`, async () => {
      // An aborted request is an error on the console, which is expected here.
      const page = await openPage({ width: 1280, height: 800 }, []);
      const reads = [];
      page.context().on("response", (response) => reads.push(response.body()));
      const hasWorker = name === "with the worker";
      if (!hasWorker) await page.context().route(/picture\.worker/, (route) => route.abort());
      await goto(page, `${site.base}/`);
      if (hasWorker) await nextProof(page);
      await page.waitForLoadState("networkidle");
      const bodies = await Promise.all(reads);
      await page.context().close();
      const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
      const measured = `${bodies.length} requests, ${(bytes / 1000).toFixed(1)} kB`;
      const was = before === undefined ? "" : `, before ${before[0]}, ${before[1]} kB`;
      console.log(`      ${measured} (at most ${most[0]}, ${most[1]} kB${was})`);
      assert.ok(bodies.length <= most[0] && bytes <= most[1] * 1000, measured);
    });
  }
}
