import assert from "node:assert/strict";

/** What is searched for, and the page that comes first. */
const guides = [
  ["leader election", "/guides/controllers/"],
  ["finalizer", "/guides/controllers/"],
  ["resync", "/guides/shared-informers/"],
  ["retry", "/guides/work-queues/"],
  ["shutdown", "/guides/controllers/"],
  ["RBAC", "/guides/connecting/"],
  ["kubeconfig", "/guides/connecting/"],
  ["testing", "/guides/testing/"],
  ["CORS", "/guides/fake-api-server/"],
  ["metrics", "/guides/controllers/"],
];

/** The built index: guides come before the pages of the API. */
export async function checkSearch({ check, goto, openPage, screenshots, site }) {
  const page = await openPage();
  await goto(page, `${site.base}/`);

  await check("the search finds a guide and an API page without a server", async () => {
    await page.locator("button[data-open-modal]").click();
    const results = page.locator(".pagefind-ui__result-link");
    const input = page.locator(".pagefind-ui__search-input");
    await input.fill("assertConsumed");
    await results.filter({ hasText: "Fake API server" }).first().waitFor();
    await input.fill("SimulatedClock");
    await results.filter({ hasText: "SimulatedClock" }).first().waitFor();
    await page.screenshot({ path: `${screenshots}search.png` });
  });

  for (const [words, path] of guides) {
    await check(`the search for "${words}" finds ${path} first`, async () => {
      await page.locator(".pagefind-ui__search-input").fill(words);
      await page.locator(".pagefind-ui__message", { hasText: words }).waitFor();
      const results = page.locator(".pagefind-ui__result-link");
      await results.first().waitFor();
      const found = await results.evaluateAll((links) =>
        links.map((link) => link.getAttribute("href").replace(/#.*/, "")),
      );
      assert.equal(found[0], site.base + path, `found ${found.join(", ")}`);
    });
  }
  await page.context().close();
}
