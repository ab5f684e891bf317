import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { viewports } from "../browser.mjs";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const allWidths = [320, 390, 768, 1024, 1280, 1600];
/** The narrowest window of each form of a page: without sidebars, with one, and with both. */
const narrowWidths = [320, 1024, 1280];

/** Rules that see colours: the others find the same in the second scheme. */
const colorRules = ["color-contrast", "link-in-text-block"];

const optionPage = "api/shared-informer/shared-informer/";
const classPage = "api/core-fifo/real-fifo/";
/** Pages of each kind that is made from the sources. */
const apiPages = [optionPage, classPage, "api/client/create-connection/", "api/client/"];
/** A page of each kind, to be looked at. */
const shownPages = {
  front: "",
  guide: "tasks/client/",
  installing: "start/getting-started/",
  figures: "operate/performance/",
  diagram: "understand/reflector/",
  options: optionPage,
  class: classPage,
  example: "tasks/shared-informers/",
  missing: "404.html",
};

/**
 * No page is wider than its window, no table or figure of a written page is cut, and axe finds
 * nothing on a page of each kind in either scheme. Opening pages takes most of the time, so each is
 * opened once for all widths.
 */
export async function checkLayout(context) {
  await checkWidths(context, narrowWidths);
}

async function checkWidths(context, widths) {
  const { check, site, written } = context;
  const found = { wide: [], cut: [], light: [], dark: [] };
  const paths = allPages(site.base, written);
  await check(`${paths.length} pages open at ${widths.join(", ")} px`, async () => {
    assert.deepEqual(
      Object.values(shownPages).filter((path) => !paths.includes(`${site.base}/${path}`)),
      [],
    );
    // The picture of the front page may keep a busy machine from anything else while it moves.
    const page = await context.openPage({ ...viewports[0], reducedMotion: "reduce" });
    for (const path of paths) await survey(page, path, context, { found, widths });
    await page.context().close();
  });
  await check("no page is wider than the window, no part under another", () => {
    assert.deepEqual(found.wide, []);
  });
  await check("no table and no figure of a written page is cut at any width", () => {
    assert.deepEqual(found.cut, []);
  });
  for (const scheme of ["light", "dark"]) {
    await check(`nothing that axe finds on a page of each kind: ${scheme}`, () =>
      assert.deepEqual(found[scheme], []),
    );
  }
}

/** All widths; screenshots of a page of each kind in each window; every page in each for axe. */
export async function checkLooks(context) {
  const { check, goto, openPage, screenshots, site, written } = context;
  await checkWidths(context, allWidths);
  const paths = allPages(site.base, written);
  for (const viewport of viewports) {
    await check(`screenshots: ${viewport.name}`, async () => {
      const page = await openPage(viewport);
      // A picture that moves is never finished.
      await page.emulateMedia({ reducedMotion: "reduce" });
      for (const [kind, path] of Object.entries(shownPages)) {
        await goto(page, `${site.base}/${path}`);
        const file = `${screenshots}${kind}-${viewport.name}.png`;
        await page.screenshot({ path: file, fullPage: true });
      }
      await page.context().close();
    });
    await check(`nothing that axe finds on any page: ${viewport.name}`, async () => {
      const page = await openPage(viewport);
      const found = [];
      for (const path of paths) {
        await goto(page, path);
        found.push(...(await violationsOf(page, path)));
      }
      assert.deepEqual(found, []);
      await page.context().close();
    });
  }
  console.log(`Screenshots are in ${screenshots}`);
}

function allPages(base, written) {
  return [...written, ...["404.html", ...apiPages].map((path) => `${base}/${path}`)];
}

async function survey(page, path, { goto, site, written }, { found, widths }) {
  await page.emulateMedia({ colorScheme: "light" });
  await goto(page, path);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    const place = `${path} at ${width} px: `;
    const problem = await page.evaluate(problemOfLayout);
    if (problem !== undefined) found.wide.push(place + problem);
    if (!written.includes(path) && path !== `${site.base}/404.html`) continue;
    found.cut.push(...(await page.evaluate(cutParts)).map((part) => place + part));
  }
  if (!Object.values(shownPages).some((shown) => path === `${site.base}/${shown}`)) return;
  const { width, height } = viewports[0];
  await page.setViewportSize({ width, height });
  found.light.push(...(await violationsOf(page, path)));
  await page.emulateMedia({ colorScheme: "dark" });
  // Opened again: the front page may be too busy with its picture to change on a busy machine.
  await goto(page, path);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark", path);
  found.dark.push(...(await violationsOf(page, path, colorRules)));
}

/** Violations that axe finds on a page, with all its rules or with some. */
export async function violationsOf(page, path, rules) {
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    // As a debugger would, since the policy of the page lets no foreign script in.
    const session = await page.context().newCDPSession(page);
    await session.send("Runtime.evaluate", { expression: axe });
  }
  const violations = await page.evaluate(async (runOnly) => {
    const options = { resultTypes: ["violations"], ...(runOnly && { runOnly }) };
    const { violations: all } = await globalThis.axe.run(document, options);
    return all.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`);
  }, rules);
  return violations.map((violation) => `${path} ${violation}`);
}

/** Runs in the page. @returns what lies beside the window or under the table of contents */
function problemOfLayout() {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) return `${scrollWidth} px wide`;
  const contents = document.querySelector(".right-sidebar-container");
  const left = contents?.getBoundingClientRect();
  // Where there is no room beside the content, it is a bar above.
  if (left === undefined || left.left < clientWidth / 2) return undefined;
  for (const table of document.querySelectorAll("main :is(table, pre, figure, svg)")) {
    const { right } = table.getBoundingClientRect();
    const box = table.parentElement.closest(".scrolls, .expressive-code, .diagram, live-example");
    const seen = Math.min(right, box?.getBoundingClientRect().right ?? right);
    if (seen > left.left + 1) return `${table.tagName} ends at ${seen}, under ${left.left}`;
  }
  return undefined;
}

/**
 * Runs in the page. A part that scrolls in a box counts as cut, and so does a cell whose text
 * leaves it, or a label that leaves its drawing. @returns the tables and figures that are cut
 */
function cutParts() {
  const end = (element) => element.getBoundingClientRect().right;
  const overflows = (element) => element.scrollWidth > element.clientWidth + 1;
  const isCut = (part) => {
    for (let box = part; box.tagName !== "MAIN"; box = box.parentElement) {
      const isBox = box === part || getComputedStyle(box).overflowX !== "visible";
      if (isBox && overflows(box)) return true;
      if (end(part) > end(box) + 1) return true;
    }
    if ([...part.querySelectorAll("td, th")].some(overflows)) return true;
    return [...part.querySelectorAll("svg text")].some((text) => end(text) > end(part) + 1);
  };
  return [...document.querySelectorAll("main :is(table, figure:not(.frame))")]
    .filter((part) => part.checkVisibility() && isCut(part))
    .map((part) => `${part.tagName.toLowerCase()} ${part.textContent.trim().slice(0, 40)}`);
}
