import { defineBrowserProvider } from "@vitest/browser";
import { defineConfig } from "vitest/config";
// @boundaries-ignore the list of suites for browsers belongs to the repository
import chromium from "../../vitest.browser.config.ts";
import type { Browser } from "./browser.ts";
import { installed } from "./installed.ts";
import { openWebKit } from "./web-kit.ts";

declare module "vitest/internal/browser" {
  interface BrowserCommands {
    /** Requests a size of the page. */
    __vitest_viewport: () => void;
  }
}

/** The suites for Chromium, run in WebKit. */
const { test } = chromium;
const driver = installed().webKit;
let browser: Browser | undefined;

const webKit = defineBrowserProvider({
  name: "webkit",
  providerFactory(project) {
    // No test depends on the size of its page.
    project.browser?.registerCommand("__vitest_viewport", () => undefined);
    return {
      name: "webkit",
      supportsParallelism: false,
      getCommandsContext: () => ({}),
      async openPage(_session, url) {
        if (driver === undefined) throw new Error("There is no WebKit on this machine");
        browser = await openWebKit(driver);
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
      provider: webKit,
      instances: [{ browser: "webkit" }],
    },
  },
});
