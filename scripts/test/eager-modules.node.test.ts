import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eagerModules } from "../checks/eager-modules.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eager-modules-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("an import loads what is imported and required at once, and not what is imported later", () => {
  const sources = {
    "entry.mjs": 'import "./at-once.cjs"; export const later = () => import("./later.mjs");',
    "at-once.cjs": 'require("./required.cjs");',
    "required.cjs": "",
    "later.mjs": "",
  };
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  const { bytes, files } = eagerModules(pathToFileURL(join(folder, "entry.mjs")).href);
  const loaded = ["at-once.cjs", "entry.mjs", "required.cjs"] as const;
  expect(files.map((file) => basename(file)).toSorted()).toEqual(loaded);
  expect(bytes).toBe(loaded.reduce((sum, name) => sum + sources[name].length, 0));
});
