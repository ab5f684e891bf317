/**
 * Makes the pictures of the site that must be PNG files, from its own typefaces and mark: the card
 * that other sites show with a link, and the icons of browsers that take no SVG.
 *
 * npm run gen -- social-card [--check]
 *
 * With `--check` it compares them with the files, where a few pixels may differ: versions of
 * Chromium smooth letters differently.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { openChromium } from "../../test/browser.mjs";

const folder = new URL("../../public/", import.meta.url);
const mark = readFileSync(new URL("favicon.svg", folder), "utf8");
const card = readFileSync(new URL("card.html", import.meta.url), "utf8")
  .replace("{{text}}", fontUrl("schibsted-grotesk"))
  .replace("{{code}}", fontUrl("sometype-mono"))
  .replace("{{mark}}", mark);
const icon = "<style>body { margin: 0 } svg { display: block; width: 100%; height: auto }</style>";

const pictures = [
  { name: "og.png", width: 1200, height: 630, html: card },
  { name: "favicon.png", width: 48, height: 48, html: icon + mark },
  { name: "apple-touch-icon.png", width: 180, height: 180, html: icon + mark },
];

const browser = await openChromium();
for (const { name, width, height, html } of pictures) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  const picture = await page.screenshot();
  const file = new URL(name, folder);
  if (!process.argv.includes("--check")) {
    writeFileSync(file, picture);
    console.log(`Wrote apps/docs/public/${name}`);
  } else if ((await difference(page, picture, readFileSync(file))) > 0.01) {
    console.error(`apps/docs/public/${name} is out of date: run npm run gen -- social-card`);
    process.exitCode = 1;
  }
}
await browser.close();

function fontUrl(name) {
  const file = `@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`;
  const bytes = readFileSync(new URL(import.meta.resolve(file)));
  return `data:font/woff2;base64,${bytes.toString("base64")}`;
}

/** The share of the pixels that differ visibly. */
async function difference(page, ...files) {
  const urls = files.map((file) => `data:image/png;base64,${file.toString("base64")}`);
  return await page.evaluate(async (sources) => {
    const [first, second] = await Promise.all(
      sources.map(async (source) => {
        const bitmap = await createImageBitmap(await (await fetch(source)).blob());
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      }),
    );
    if (first.length !== second.length) return 1;
    const differing = first.filter((value, index) => Math.abs(value - second[index]) > 48);
    return differing.length / first.length;
  }, urls);
}
