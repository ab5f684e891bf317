import assert from "node:assert/strict";

/** Words of a reader, each with the page that answers best and must come first. */
const answers = {
  "leader election": "/tasks/leader-election/",
  finalizer: "/tasks/controllers/",
  resync: "/tasks/shared-informers/",
  retry: "/tasks/controllers/",
  shutdown: "/tasks/controllers/",
  RBAC: "/operate/security/",
  kubeconfig: "/start/connecting/",
  manager: "/tasks/manager/",
  health: "/tasks/manager/",
  probes: "/tasks/manager/",
  simulate: "/tasks/simulation/",
  record: "/reference/commands/",
  webhook: "/tasks/webhooks/",
  testing: "/tasks/testing/",
  CORS: "/start/connecting/",
  metrics: "/operate/observability/",
  rollout: "/tasks/waiting/",
  "wait for deployment": "/tasks/waiting/",
  "watch stops": "/operate/troubleshooting/",
  "out of memory": "/operate/memory/",
  "memory leak": "/operate/memory/",
  OOMKilled: "/operate/memory/",
  proxy: "/start/connecting/",
  certificate: "/tasks/webhooks/",
  token: "/start/connecting/",
  stale: "/tasks/shared-informers/",
  relist: "/understand/reflector/",
  410: "/operate/troubleshooting/",
  429: "/operate/troubleshooting/",
  bookmark: "/understand/reflector/",
  "rate limit": "/understand/work-queues/",
  mock: "/tasks/testing/",
  envtest: "/tasks/testing/",
  "unit test": "/tasks/testing/",
  poll: "/start/why-informers/",
  React: "/tasks/dashboards/",
  logging: "/operate/observability/",
  performance: "/operate/performance/",
  shard: "/operate/scale/",
  "version skew": "/operate/upgrades/",
};

/** Names of symbols, each of which finds its page among the results that are shown first. */
const symbols = ["SimulatedClock", "InformerView", "RealFIFO", "LeaderElector", "waitFor"];

/**
 * Opens the search on a page without a program, since the front page is busy with its picture. The
 * search loads when the page is idle, which a busy machine may prevent; the page is then loaded
 * again.
 */
export async function openSearch(page, { goto, site }) {
  for (let attempt = 1; ; attempt++) {
    await goto(page, `${site.base}/reference/errors/`);
    await page.locator("button[data-open-modal]").click();
    try {
      await page.locator(".pagefind-ui__search-input").waitFor({ timeout: 30_000 });
      return;
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
}

/** The built index: guides come before the pages of the API. */
export async function checkSearch({ check, goto, openPage, readPages, screenshots, site }) {
  const page = await openPage();
  await openSearch(page, { goto, site });
  const results = page.locator(".pagefind-ui__result");

  /** Searches, and returns when the results are those of the words. */
  async function search(words) {
    await page.locator(".pagefind-ui__search-input").fill(words);
    // While it searches, the message has the words as well, and the old results are there.
    const message = page.locator(".pagefind-ui__message");
    await message.filter({ hasText: new RegExp(`^\\s*\\d+ results? for ${words}`) }).waitFor();
  }

  for (const symbol of symbols) {
    await check(`the search for "${symbol}" finds the page of the symbol`, async () => {
      await search(symbol);
      const link = results.locator('.pagefind-ui__result-link[href*="/api/"]');
      const exact = link.filter({ hasText: new RegExp(`^\\s*${symbol}\\b`) });
      await exact.first().waitFor();
    });
  }
  await page.screenshot({ path: `${screenshots}search.png` });

  for (const [words, path] of Object.entries(answers)) {
    await check(`the search for "${words}" finds ${path} first`, async () => {
      await search(words);
      // A later result may be loaded before the first one.
      const first = results.first();
      const href = await first.locator(".pagefind-ui__result-link").first().getAttribute("href");
      assert.equal(href.replace(/#.*/, ""), site.base + path);
    });
  }

  await check("no page has text for the search that readers do not see", async () => {
    const pages = await readPages();
    for (const path of new Set(Object.values(answers))) {
      assert.deepEqual(pages.get(site.base + path).hidden, [], path);
    }
  });
  await page.context().close();
}
