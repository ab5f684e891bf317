import assert from "node:assert/strict";

/** Search terms, each with the page that must come first. */
const guides = [
  ["leader election", "/tasks/controllers/"],
  ["finalizer", "/tasks/controllers/"],
  ["resync", "/tasks/shared-informers/"],
  ["retry", "/understand/work-queues/"],
  ["shutdown", "/tasks/controllers/"],
  ["RBAC", "/start/connecting/"],
  ["kubeconfig", "/start/connecting/"],
  ["testing", "/tasks/testing/"],
  ["CORS", "/tasks/fake-api-server/"],
  ["metrics", "/tasks/controllers/"],
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
      // While it searches, the message has the words as well, and the old results are there.
      const message = page.locator(".pagefind-ui__message");
      await message.filter({ hasText: new RegExp(`^\\s*\\d+ results? for ${words}`) }).waitFor();
      // A later result may be loaded before the first one.
      const first = page.locator(".pagefind-ui__result").first();
      const href = await first.locator(".pagefind-ui__result-link").first().getAttribute("href");
      assert.equal(href.replace(/#.*/, ""), site.base + path);
    });
  }
  await page.context().close();
}
