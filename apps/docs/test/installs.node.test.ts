import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @boundaries-ignore what the test of install commands reads of the same pages
import { shownImports } from "../../../tests/install/pages.ts";

/** Lessons for which the first page of their section has the command. */
const withoutCommand = /docs\/(?:build-your-own\/(?!index\b)|tutorial\/(?!definition\b)).*\.mdx$/;
/** Packages that a project with tests has installed. */
const testFrameworks = ["vitest", "@jest/globals"];
/** Packages that a program names as replaceable. */
const examplesOfOthers = ["yaml"];

const pages = shownImports();

test("a page installs the packages that its programs import", () => {
  const known = new Set([...testFrameworks, ...examplesOfOthers]);
  const missing = pages
    .filter(({ page }) => !withoutCommand.test(page))
    .map(({ page, missing: names }) => [page, names.filter((name) => !known.has(name))] as const)
    .filter(([, names]) => names.length > 0);
  expect(Object.fromEntries(missing)).toEqual({});
});

test("a program of the site imports listwatch and none of its layers", () => {
  const layers = pages
    .filter(({ page }) => page.endsWith(".mdx"))
    .flatMap(({ modules, page }) => modules.map((name) => `${page}: ${name}`))
    .filter((line) => line.includes(" @listwatch/"));
  expect(layers).toEqual([]);
});

test("what a page imports from layers is in the package of all layers", () => {
  const { exports } = JSON.parse(readFileSync("packages/listwatch/package.json", "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const strange = pages.flatMap(({ page, withAllLayers }) =>
    withAllLayers
      .filter((name) => /^(?:@listwatch\/|listwatch(?:\/|$))/.test(name))
      .filter((name) => !(name.replace(/^listwatch/, ".") in exports))
      .map((name) => `${page}: ${name}`),
  );
  expect(strange).toEqual([]);
  expect(globSync("apps/docs/src/content/docs/**/*.mdx").length).toBeGreaterThan(10);
});
