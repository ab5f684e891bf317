/**
 * Checks the built site in a browser: `npm run test:site` in the repository, with some of the names
 * in `groups` for those alone. `looks`, which takes pictures, only runs when it is named. Every
 * example runs and prints what the tests assert, links resolve, the search finds, nothing is asked
 * of another host. Screenshots go to test-results/.
 */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { openBrowser } from "./browser.mjs";
import { checkConsole } from "./checks/console.mjs";
import { checkExamples } from "./checks/examples.mjs";
import { checkFigures } from "./checks/figures.mjs";
import { checkFiles } from "./checks/files.mjs";
import { checkFront } from "./checks/front.mjs";
import { checkLive } from "./checks/live.mjs";
import { checkLayout, checkLooks } from "./checks/layout.mjs";
import { pageReader } from "./checks/read-pages.mjs";
import { checkReference } from "./checks/reference.mjs";
import { checkSearch } from "./checks/search.mjs";
import { brokenLinks, pagePaths, serveSite } from "./site-files.ts";

const groups = {
  front: checkFront,
  examples: checkExamples,
  console: checkConsole,
  live: checkLive,
  search: checkSearch,
  layout: checkLayout,
  looks: checkLooks,
  reference: checkReference,
  files: checkFiles,
  figures: checkFigures,
};
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  console.error(`Expected some of ${Object.keys(groups).join(", ")}, got ${unknown.join(", ")}`);
  process.exit(2);
}

const screenshots = new URL("../../../test-results/site/", import.meta.url).pathname;
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
const browser = await openBrowser(site);
const { goto, openBeside, openPage, problems } = browser;
mkdirSync(screenshots, { recursive: true });

const paths = pagePaths();
const written = paths.filter((path) => !path.includes("/api/"));

await check(`every link of ${paths.length} pages leads somewhere`, () => {
  assert.deepEqual(brokenLinks(), []);
});

const readPages = pageReader({ goto, openPage, written });
const context = { check, goto, openBeside, openPage, paths, readPages, screenshots, site, written };
const names = Object.keys(groups).filter((name) =>
  wanted.length === 0 ? name !== "looks" : wanted.includes(name),
);
for (const name of names) {
  await groups[name](context);
  // A check that failed has left its page open. A busy page would slow all later ones.
  await browser.closePages();
}

await check("no page had an error or asked another host", () => {
  assert.deepEqual(problems, []);
});

await browser.close();
await site.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
