import { chromium } from "playwright-core";

// In milliseconds: long enough on a machine that does much else, so that only what hangs meets it.
const timeout = 5 * 60_000;

/** The windows that pages are looked at in. */
export const viewports = [
  { name: "light", width: 1280, height: 900, colorScheme: "light" },
  { name: "dark", width: 1280, height: 900, colorScheme: "dark" },
  { name: "phone", width: 390, height: 844, colorScheme: "light" },
  { name: "dark-phone", width: 390, height: 844, colorScheme: "dark" },
];

/** The Chromium of this machine. */
export async function openChromium() {
  return await chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
}

/** Opens Chromium on a site. */
export async function openBrowser(site) {
  const browser = await openChromium();
  const problems = [];

  /** A page that notes everything that goes wrong on it, among the problems unless told otherwise. */
  async function openPage(options = viewports[0], notes = problems) {
    const { name: _name, width, height, ...others } = options;
    const context = await browser.newContext({ viewport: { width, height }, ...others });
    context.setDefaultTimeout(timeout);
    const page = await context.newPage();
    note(page, notes);
    return page;
  }

  /** Another page with the same cache. */
  async function openBeside(first) {
    const page = await first.context().newPage();
    note(page, problems);
    return page;
  }

  function note(page, notes) {
    page.on("pageerror", (error) => notes.push(`${page.url()}: ${error}`));
    page.on("console", (message) => {
      if (message.type() === "error") notes.push(`${page.url()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (url.startsWith(site.origin) || url.startsWith("data:") || url.startsWith("blob:")) return;
      notes.push(`${page.url()} asks another host: ${url}`);
    });
  }

  async function goto(page, path) {
    await page.goto(site.origin + path, { waitUntil: "load" });
  }

  async function closePages() {
    await Promise.all(browser.contexts().map((context) => context.close()));
  }

  return { openPage, openBeside, goto, closePages, problems, close: () => browser.close() };
}
