import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { figures, figureText } from "../../src/data/figures.ts";

const root = new URL("../../../../", import.meta.url);
const numberWithUnit = /×\s?\d|\d(?:[.,]\d+)*\s?(?:ms|s|MB|GB|kB)\b|\d\/s\b/;

/** Each figure is what the file says, the recorded programs are the committed ones. */
export async function checkFigures({ check, goto, openPage, readPages, site }) {
  const pages = await readPages();
  await check("each figure on a page is what figures.json says", () => {
    for (const [path, { figures: found }] of pages) {
      const expected = found.map(([name]) => [name, figureText(name)]);
      assert.deepEqual(found, expected, path);
    }
  });
  await check("what shows figures has no number with a unit that is not from figures.json", () => {
    for (const [path, { otherText }] of pages) {
      assert.doesNotMatch(otherText, numberWithUnit, path);
    }
  });

  const page = await openPage();
  const front = `${site.base}/`;
  await check("the front page shows four numbers and every row of the comparison", async () => {
    await goto(page, front);
    assert.equal(await page.locator(".numbers li").count(), 4);
    const rows = await page
      .locator(".comparison tbody tr")
      .evaluateAll((elements) =>
        elements.map((row) => [...row.children].map((cell) => cell.textContent.trim())),
      );
    const expected = figures.comparison.rows.map(({ cells, title }) => [
      title,
      ...Object.keys(figures.comparison.tools).map((id) => cellText(cells[id])),
    ]);
    assert.deepEqual(rows, expected);
  });

  await check("a phone shows each of the others beside listwatch", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const heads = page.locator(".comparison thead th:visible");
    for (const name of Object.values(figures.comparison.tools).slice(1)) {
      await page.getByRole("radio", { name, exact: true }).check();
      assert.deepEqual(await heads.allTextContents(), ["listwatch", name]);
    }
    const tooWide = await page.locator(".comparison").evaluate((section) => {
      const { right } = section.getBoundingClientRect();
      return section.querySelector("table").getBoundingClientRect().right - right;
    });
    assert.ok(tooWide <= 0, `the table is ${tooWide} px too wide`);
  });

  await check(
    "the front page shows client-node's program and output as they are recorded",
    async () => {
      const recorded = page.locator(".recorded");
      // Those of single layers are in the block, too, and hidden.
      const lines = await recorded.locator(".ec-line:visible").allTextContents();
      const program = lines.map((line) => line.replace(/\n$/, "")).join("\n");
      const [controller] = read("examples/client-node/lost-update.ts").split("// The test:");
      assert.equal(program, controller.trimEnd());
      const output = await recorded.locator("pre").last().textContent();
      assert.equal(`${output}\n`, read("examples/client-node/lost-update.out"));
      const { devDependencies } = JSON.parse(read("package.json"));
      const bar = (await recorded.locator(".bar").allTextContents()).join(" ");
      assert.ok(bar.includes(devDependencies["@kubernetes/client-node"]), bar);
    },
  );
  await page.context().close();
}

function cellText(cell) {
  return typeof cell === "string" ? cell : figureText(cell.figure);
}

function read(file) {
  return readFileSync(new URL(file, root), "utf8");
}
