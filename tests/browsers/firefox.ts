import { launch } from "puppeteer-core";
import type { Browser } from "./browser.ts";

export async function openFirefox(executablePath: string): Promise<Browser> {
  const firefox = await launch({ browser: "firefox", executablePath });
  const page = await firefox.newPage();
  return {
    name: `Firefox ${(await firefox.version()).replace(/^.*\//, "")}`,
    async goto(url) {
      await page.goto(url);
    },
    evaluate: (body, ...args) =>
      page.evaluate(`(function () { ${body} }).apply(undefined, ${JSON.stringify(args)})`),
    [Symbol.asyncDispose]: () => firefox.close(),
  };
}
