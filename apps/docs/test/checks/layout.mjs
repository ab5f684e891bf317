import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { viewports } from "../browser.mjs";

const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const widths = [320, 390, 768, 1024, 1280, 1600];

/** A page of each kind: written ones, and those that are made from the sources. */
function kindsOf(written, base) {
  const api = [
    "api/core-fifo/real-fifo/",
    "api/shared-informer/shared-informer/",
    "api/client/create-connection/",
    "api/client/",
  ];
  return [...written, ...api.map((path) => `${base}/${path}`)];
}

/** No page is wider than its window, no table lies under the table of contents, axe is content. */
export async function checkLayout({ check, goto, openPage, site, written }) {
  const paths = kindsOf(written, site.base);
  await check(
    `no page is wider than the window, no part under another: ${widths.join(", ")} px`,
    async () => {
      const page = await openPage();
      const found = [];
      for (const path of paths) {
        await goto(page, path);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          const problem = await page.evaluate(problemOfLayout);
          if (problem !== undefined) found.push(`${path} at ${width} px: ${problem}`);
        }
      }
      assert.deepEqual(found, []);
      await page.context().close();
    },
  );

  const [light] = viewports;
  await check(`nothing that axe finds: ${light.name}`, async () => {
    const page = await openPage(light);
    const found = [];
    for (const path of paths) {
      await goto(page, path);
      found.push(...(await violationsOf(page, path)));
    }
    assert.deepEqual(found, []);
    await page.context().close();
  });
}

/** Each page in each of the windows, as a picture and as axe sees it. */
export async function checkLooks({ check, goto, openPage, screenshots, site, written }) {
  const paths = kindsOf(written, site.base);
  for (const viewport of viewports) {
    await check(`screenshots, and nothing that axe finds: ${viewport.name}`, async () => {
      const page = await openPage(viewport);
      const found = [];
      for (const path of paths) {
        await goto(page, path);
        const name = path.slice(site.base.length + 1).replaceAll("/", "-") || "home-";
        await page.screenshot({
          path: `${screenshots}${name}${viewport.name}.png`,
          fullPage: true,
        });
        found.push(...(await violationsOf(page, path)));
      }
      assert.deepEqual(found, []);
      await page.context().close();
    });
  }
}

/** Violations that axe finds on a page. */
export async function violationsOf(page, path) {
  // As a debugger would, since the policy of the page lets no foreign script in.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const violations = await page.evaluate(async () => {
    const { violations: all } = await globalThis.axe.run(document);
    return all.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`);
  });
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
