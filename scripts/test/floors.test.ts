import { describe, expect, test } from "vitest";
import { checkPackage, circles, upwardImports } from "../checks/floors.ts";

const rules = { entryPoints: ["index.ts"], folders: ["base", "delta", "queues"] };
const sources = new Map([
  ["index.ts", `/** @module */\nexport { FIFO } from "./queues/fifo.ts";\n`],
  ["base/clock.ts", "export const clock = 1;\n"],
  ["delta/delta.ts", `import { clock } from "../base/clock.ts";\nexport const delta = clock;\n`],
  ["queues/fifo.ts", `import type { delta } from "../delta/delta.ts";\nexport class FIFO {}\n`],
]);

function changed(path: string, text: string): Map<string, string> {
  return new Map(sources).set(path, text);
}

describe("the order of folders", () => {
  test("lets a file import its own folder and lower ones, and index.ts all", () => {
    expect(checkPackage(sources, rules)).toEqual([]);
  });

  test.each([
    `import { FIFO } from "../queues/fifo.ts";`,
    `import type { FIFO } from "../queues/fifo.ts";`,
    `export * from "../queues/fifo.ts";`,
    `export const load = () => import("../queues/fifo.ts");`,
    `import {\n  FIFO,\n} from "../queues/fifo.ts";`,
    `import "../queues/fifo.ts";`,
  ])("refuses a planted upward import: %s", (line) => {
    expect(checkPackage(changed("base/clock.ts", line), rules)).toContain(
      "base/clock.ts imports upward: queues/fifo.ts",
    );
  });

  test("refuses imports of root files, and files outside the listed folders", () => {
    const planted = changed("base/clock.ts", `import { FIFO } from "../index.ts";`);
    planted.set("internal/heap.ts", "").set("drain.ts", "");
    expect(upwardImports(planted, rules)).toEqual([
      "base/clock.ts imports the root file index.ts",
      "drain.ts is in no folder, and no entry point",
      "The folder internal/ is not in the list (base, delta, queues)",
    ]);
  });
});

describe("the other rules", () => {
  test("a circle of files is refused, also one of types and inside a folder", () => {
    const planted = new Map([
      ["a/one.ts", `import { two } from "./two.ts";`],
      ["a/two.ts", `import type { three } from "./three.ts";`],
      ["a/three.ts", `export { one } from "./one.ts";`],
    ]);
    expect(circles(planted)).toEqual([
      "Circle of imports: a/one.ts → a/two.ts → a/three.ts → a/one.ts",
    ]);
  });

  test("index.ts with code is refused", () => {
    const planted = changed("index.ts", `export * from "./base/clock.ts";\nexport const x = 1;\n`);
    expect(checkPackage(planted, rules)).toEqual([
      "index.ts has more than re-exports: export const x = 1;",
    ]);
  });
});
