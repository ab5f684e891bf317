import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dist } from "../site-files.ts";

/** Checks the files next to the pages, and the metadata of each page. */
export async function checkFiles({ check, goto, openPage, paths, site, written }) {
  const read = (path) => readFileSync(`${dist}/${path}`, "utf8");

  await check("llms.txt lists each written page, and each is there as Markdown", () => {
    const listed = [...read("llms.txt").matchAll(/\]\(https:\/\/[^/]+([^)]+)index\.md\)/g)];
    const expected = written.filter((path) => path !== `${site.base}/`);
    assert.deepEqual(new Set(listed.map(([, path]) => path)), new Set(expected));
    for (const path of written) {
      const text = read(`${path.slice(site.base.length + 1)}index.md`);
      assert.match(text, /^# \S/);
      assert.doesNotMatch(text, /```[A-Z]|\{\/\*/, `${path}: a fence ends alone on its line`);
      const outside = text.split(/^ *```/m).filter((_part, index) => index % 2 === 0);
      assert.doesNotMatch(outside.join(""), /^import |^<[A-Z]/m, path);
    }
  });

  await check("pages have a policy, a picture, and links to the project", () => {
    assert.ok(existsSync(`${dist}/og.png`));
    for (const path of paths) {
      const html = read(`${path.slice(site.base.length + 1)}index.html`);
      assert.match(
        html,
        /http-equiv="content-security-policy" content="default-src 'self'; /,
        path,
      );
      assert.match(html, /property="og:image" content="https:\/\/[^"]+\/og\.png"/, path);
    }
    const guide = read("start/getting-started/index.html");
    for (const link of [
      '/listwatch/listwatch"',
      "npmjs.com",
      "/releases",
      "/LICENSE",
      "/versions/",
    ]) {
      assert.ok(guide.includes(link), `no link to ${link}`);
    }
  });

  await check("the former address of a page leads to the page", async () => {
    // The browser asks for /favicon.ico where a page names no icon: an error on the console.
    const page = await openPage(undefined, []);
    await page.goto(`${site.origin}${site.base}/guides/log/`);
    await page.waitForURL(`${site.origin}${site.base}/operate/observability/`);
    await page.context().close();
  });

  await check("an address that leads nowhere shows the page for that", async () => {
    const page = await openPage();
    await goto(page, `${site.base}/404.html`);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
    await page.context().close();
  });

  await check("the policy lets no inline script in that the page was not built with", async () => {
    // A blocked request is an error on the console, which is expected here.
    const page = await openPage(undefined, []);
    await goto(page, `${site.base}/start/getting-started/`);
    const refused = await page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener("securitypolicyviolation", (event) => {
            resolve(event.effectiveDirective);
          });
          const script = document.createElement("script");
          script.textContent = "globalThis.isForeign = true;";
          document.head.append(script);
        }),
    );
    assert.equal(refused, "script-src-elem");
    assert.equal(await page.evaluate(() => globalThis.isForeign), undefined);
    await page.context().close();
  });
}
