import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../..", import.meta.url).pathname;

test("the page of error codes lists every code of the packages, and no other", () => {
  const page = readFileSync(`${root}/apps/docs/src/content/docs/reference/errors.mdx`, "utf8");
  const listed = new Set(Array.from(page.matchAll(/^\| `(LW_\w+)`/gm), ([, code]) => code));
  const raised = new Set<string | undefined>();
  for (const file of globSync(`${root}/packages/*/src/**/*.ts`)) {
    const source = readFileSync(file, "utf8");
    for (const [, code] of source.matchAll(/"(LW_[A-Z_]+)"/g)) raised.add(code);
  }
  expect(listed).toEqual(raised);
});

test("each code has its class beside it, or none if it is a ListwatchError", () => {
  const page = readFileSync(`${root}/apps/docs/src/content/docs/reference/errors.mdx`, "utf8");
  const sources = globSync(`${root}/packages/*/src/**/*.ts`).map((file) =>
    readFileSync(file, "utf8"),
  );
  for (const [, code, name] of page.matchAll(/^\| `(LW_\w+)`<br \/>`(\w+)` +\|/gm)) {
    const source = sources.find((text) => text.includes(`class ${name} `)) ?? "";
    const body = source.slice(source.indexOf(`class ${name} `));
    const end = body.indexOf("\n}\n");
    expect(body.slice(0, end), `${name} in ${code}`).toContain(code);
  }
  const plain = Array.from(page.matchAll(/^\| `(LW_\w+)` /gm), ([, code]) => code);
  expect(plain.length).toBeGreaterThan(10);
  for (const code of plain) {
    const creation = new RegExp(`new ListwatchError\\(\\s*"${code}"`);
    const count = sources.filter((text) => creation.test(text)).length;
    expect([code, count]).toEqual([code, 1]);
  }
});
