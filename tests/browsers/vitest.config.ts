import { defineBrowserProvider } from "@vitest/browser";
import { defineConfig } from "vitest/config";
// @boundaries-ignore the list of suites for browsers belongs to the repository
import chromium from "../../vitest.browser.config.ts";
import type { Browser } from "./browser.ts";
import { installed } from "./installed.ts";
import { openBrowser } from "./puppeteer.ts";
import { openWebKit } from "./web-kit.ts";

declare module "vitest/internal/browser" {
  interface BrowserCommands {
    /** Requests a size of the page. */
    __vitest_viewport: () => void;
  }
}

/** The suites for Chromium, run in WebKit, or in the browser that `SUITES_BROWSER` names. */
const { test } = chromium;
const name = process.env["SUITES_BROWSER"] === "firefox" ? "firefox" : "webkit";
const { firefox, webKit } = installed();
let browser: Browser | undefined;

function open(): Promise<Browser> {
  if (name === "firefox" && firefox !== undefined) return openBrowser("firefox", firefox);
  if (name === "webkit" && webKit !== undefined) return openWebKit(webKit);
  throw new Error(`There is no ${name} on this machine`);
}

const provider = defineBrowserProvider({
  name,
  providerFactory(project) {
    // No test depends on the size of its page.
    project.browser?.registerCommand("__vitest_viewport", () => undefined);
    return {
      name,
      supportsParallelism: false,
      getCommandsContext: () => ({}),
      async openPage(_session, url) {
        browser = await open();
        await browser.goto(url);
      },
      async close() {
        await browser?.[Symbol.asyncDispose]();
      },
    };
  },
});

export default defineConfig({
  ...chromium,
  test: {
    ...test,
    browser: {
      ...test?.browser,
      enabled: true,
      provider,
      instances: [{ browser: name }],
    },
  },
});
