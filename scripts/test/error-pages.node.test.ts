import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const pages = "apps/docs/src/content/docs";

function textOf(file: string): string {
  return readFileSync(file, "utf8");
}

/** The texts of a union type, such as `type Kind = "a" | "b"`. */
function membersOf(file: string, type: string): string[] {
  const [, union = ""] = new RegExp(`type ${type} =([^;]*);`).exec(textOf(file)) ?? [];
  return [...union.matchAll(/^\s*\| "([^"]+)"/gm)].map(([, member = ""]) => member);
}

/** Code spans in the first column of the tables of a page. */
function rowsOf(page: string): string[] {
  const rows = textOf(`${pages}/${page}.mdx`).matchAll(/^\| `([^`]+)`/gm);
  return [...rows].map(([, name = ""]) => name);
}

test("each error code has one line on the page of errors, and no other has", () => {
  const sources = globSync("packages/*/src/**/*.ts").map(textOf).join("\n");
  const codes = [...sources.matchAll(/"(LW_[A-Z_]+)"/g)].map(([, code = ""]) => code);
  const listed = rowsOf("reference/errors").filter((name) => name.startsWith("LW_"));
  expect(codes.length).toBeGreaterThan(40);
  expect(listed.toSorted()).toEqual([...new Set(codes)].toSorted());
});

test("each reason of a problem has a line on the page of troubles", () => {
  const source = "packages/shared-informer/src/informer/informer-status.ts";
  const reasons = membersOf(source, "ProblemReason");
  expect(reasons.length).toBeGreaterThan(5);
  expect(rowsOf("operate/troubleshooting")).toEqual(expect.arrayContaining(reasons));
});

test("each kind of a network error has a line on the page of troubles", () => {
  const kinds = membersOf("packages/client/src/errors/network-error.ts", "NetworkErrorKind");
  expect(kinds.length).toBeGreaterThan(5);
  expect(rowsOf("operate/troubleshooting")).toEqual(expect.arrayContaining(kinds));
});
