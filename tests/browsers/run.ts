/**
 * Runs the examples of the site in Firefox and in WebKit, Safari's engine, and a page with streams
 * in these and in Chromium. WebKit also runs the suites that run in Chromium, and Firefox those of
 * streams and of pages:
 *
 * ```
 * npm run test:field -- browsers
 * ```
 *
 * The argument `streams` runs only the page with streams, and the suites of streams and of pages.
 *
 * Firefox does not run the other suites, since it reads bodies of requests and responses in
 * separate tasks, which a simulated clock cannot see.
 *
 * A missing browser is reported and skipped.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @boundaries-ignore the site is served in the same way as in its tests
import { pagePaths, serveSite } from "../../apps/docs/test/site-files.ts";
import type { Browser } from "./browser.ts";
import { checkExamples } from "./examples.ts";
import { install } from "./installed.ts";
import { openBrowser } from "./puppeteer.ts";
import { checkStreams } from "./streams.ts";
import { openWebKit } from "./web-kit.ts";

const root = join(import.meta.dirname, "../..");
const { chromium, firefox, webKit } = install();
const isWhole = !process.argv.includes("streams");
/** Suites of streams, and of pages that show informers. */
const ofStreams = ["packages/streams", "tests/frameworks/react", "tests/programs/page"];
let passed = 0;
let failed = 0;

interface Result {
  readonly title: string;
  readonly problem: string | undefined;
}

async function report(results: AsyncIterable<Result>): Promise<void> {
  for await (const { title, problem } of results) {
    if (problem === undefined) passed++;
    else failed++;
    console.log(problem === undefined ? `ok    ${title}` : `FAIL  ${title}\n${problem}`);
  }
}

async function runExamples(browser: Browser): Promise<void> {
  console.log(`--- the examples of the site in ${browser.name}`);
  const site = await serveSite();
  try {
    const paths = pagePaths().filter((path) => !path.includes("/api/"));
    await report(checkExamples(browser, site.origin, paths));
  } finally {
    await site.close();
  }
}

async function runStreams(browser: Browser): Promise<void> {
  console.log(`--- a page with streams in ${browser.name}`);
  await report(checkStreams(browser));
}

function runSuites(name: "firefox" | "webkit", filters: readonly string[]): void {
  console.log(`--- the suites of the browser in ${name}: ${filters.join(", ") || "all"}`);
  const folder = mkdtempSync(join(tmpdir(), "listwatch-browsers-"));
  const file = join(folder, "report.json");
  try {
    const config = join(import.meta.dirname, "vitest.config.ts");
    const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
    const { status } = spawnSync(
      process.execPath,
      [
        join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        "--root",
        root,
        "--config",
        config,
        ...reporters,
        ...filters,
      ],
      { cwd: root, stdio: "inherit", env: { ...process.env, SUITES_BROWSER: name } },
    );
    const counts = JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
    passed += counts["numPassedTests"] ?? 0;
    failed += counts["numFailedTests"] ?? 0;
    // A file that could not be loaded has no failed tests.
    if (status !== 0 && counts["numFailedTests"] === 0) failed++;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (chromium === undefined) console.log("not on this machine: Chromium");
else {
  await using browser = await openBrowser("chrome", chromium);
  await runStreams(browser);
}
if (firefox === undefined) console.log("not on this machine: Firefox");
else {
  await using browser = await openBrowser("firefox", firefox);
  await runStreams(browser);
  if (isWhole) await runExamples(browser);
}
if (webKit === undefined) console.log("not on this machine: WebKit");
else {
  await using browser = await openWebKit(webKit);
  await runStreams(browser);
  if (isWhole) await runExamples(browser);
}
if (firefox !== undefined) runSuites("firefox", ofStreams);
if (webKit !== undefined) runSuites("webkit", isWhole ? [] : ofStreams);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
