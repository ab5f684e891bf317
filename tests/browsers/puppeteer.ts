import { launch } from "puppeteer-core";
import type { Browser } from "./browser.ts";

/** Opens Chromium or Firefox. */
export async function openBrowser(
  browser: "chrome" | "firefox",
  executablePath: string,
): Promise<Browser> {
  // Root cannot set up Chromium's sandbox; the pages are the repository's own.
  const args = browser === "chrome" ? ["--no-sandbox"] : [];
  const opened = await launch({ browser, executablePath, args });
  const page = await opened.newPage();
  const version = (await opened.version()).replace(/^.*\//, "");
  return {
    name: `${browser === "chrome" ? "Chromium" : "Firefox"} ${version}`,
    async goto(url) {
      await page.goto(url);
    },
    evaluate: (body, ...values) =>
      page.evaluate(`(function () { ${body} }).apply(undefined, ${JSON.stringify(values)})`),
    [Symbol.asyncDispose]: () => opened.close(),
  };
}
