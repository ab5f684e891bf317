import { describe, expect, test } from "vitest";
import { importsOf } from "../checks/imports.ts";
import { foreignDependencies, foreignImports, undeclaredImports } from "../checks/layers.ts";

const layers = {
  "core-fifo": [],
  "fake-apiserver": ["core-fifo/base"],
  client: ["core-fifo"],
  reflector: ["core-fifo", "client"],
};
const reflector = {
  name: "@listwatch/reflector",
  dependencies: { "@listwatch/core-fifo": "^1.0.0", "@listwatch/client": "^1.0.0" },
  devDependencies: { "@listwatch/fake-apiserver": "^1.0.0", vitest: "1.0.0" },
};

const file = (path: string, text: string): Map<string, string> => new Map([[path, text]]);

describe("imports between packages", () => {
  const allowed = layers.reflector;

  test("may be those of lower layers, by package name and with all entries", () => {
    const text = `import { sleep } from "@listwatch/core-fifo/base";\nimport "@listwatch/client";`;
    expect(foreignImports(file("src/a.ts", text), allowed, reflector)).toEqual([]);
    expect(undeclaredImports(file("src/a.ts", text), reflector)).toEqual([]);
  });

  test.each([
    `import { Controller } from "@listwatch/controller";`,
    `import type { Controller } from "@listwatch/controller";`,
    `export * from "@listwatch/controller";`,
    `export { Controller } from "@listwatch/controller";`,
    `export const load = () => import("@listwatch/controller");`,
    `export type Loaded = import("@listwatch/controller").Controller;`,
  ])("are refused where a layer may not know the package: %s", (line) => {
    expect(foreignImports(file("src/a.ts", line), allowed, reflector)).toEqual([
      "src/a.ts imports @listwatch/controller; allowed: core-fifo, client",
    ]);
  });

  test("are refused where a layer may know one entry, and imports another", () => {
    const text = `import "@listwatch/core-fifo/base";\nimport "@listwatch/core-fifo";`;
    expect(foreignImports(file("src/a.ts", text), layers["fake-apiserver"], reflector)).toEqual([
      "src/a.ts imports @listwatch/core-fifo; allowed: core-fifo/base",
    ]);
  });

  test("of sources are refused when they name the fake server or the package of all layers", () => {
    const text = `import "@listwatch/fake-apiserver";\nimport "listwatch/node";`;
    expect(foreignImports(file("src/a.ts", text), allowed, reflector)).toHaveLength(2);
    expect(foreignImports(file("test/a.test.ts", text), allowed, reflector)).toEqual([]);
  });
});

test("sources import what users install, and tests what package.json declares", () => {
  const text = `import "yaml/browser";\nimport "vitest";\nimport "node:fs";`;
  const declared = { ...reflector, peerDependencies: { yaml: "2" } };
  expect(foreignImports(file("src/a.ts", text), [], declared)).toEqual([
    "src/a.ts imports vitest; allowed: none",
  ]);
  expect(foreignImports(file("src/a.ts", text), ["vitest"], declared)).toEqual([]);
  expect(undeclaredImports(file("test/a.test.ts", text), declared)).toEqual([]);
});

describe("imports out of a workspace", () => {
  test("are refused when package.json does not declare the package", () => {
    const text = `import "node:fs";\nimport "vitest";\nimport "yaml/browser";\nimport "@a/b/c";`;
    expect(undeclaredImports(file("test/a.test.ts", text), reflector)).toEqual([
      "test/a.test.ts imports yaml/browser, which package.json does not declare",
      "test/a.test.ts imports @a/b/c, which package.json does not declare",
    ]);
  });

  test("are refused when a path leads outside, unless the line above says why", () => {
    const path = "../../../tests/lines.ts";
    const bare = `// Why not\nimport "${path}";\nimport "./b.ts";`;
    expect(undeclaredImports(file("test/a/a.test.ts", bare), reflector)).toEqual([
      `test/a/a.test.ts imports ${path} outside the workspace`,
    ]);
    const exempt = `// @boundaries-ignore shared by tests\nimport "${path}";`;
    expect(undeclaredImports(file("test/a/a.test.ts", exempt), reflector)).toEqual([]);
    const withoutReason = `// @boundaries-ignore\nimport "${path}";`;
    expect(undeclaredImports(file("test/a/a.test.ts", withoutReason), reflector)).toHaveLength(1);
  });

  test("are none in comments and strings", () => {
    const comments = `/** import { a } from "a"; */\n// import "b"`;
    expect(importsOf(`${comments}\nconst c = \`\nimport "c";\`;`)).toEqual([]);
  });
});

describe("dependencies between packages", () => {
  test("may be those that a layer knows, and for tests lower ones and the fake server", () => {
    expect(foreignDependencies(reflector, layers)).toEqual([]);
  });

  test("are refused upward, in package.json and in the list itself", () => {
    const client = {
      name: "@listwatch/client",
      dependencies: { "@listwatch/fake-apiserver": "^1.0.0" },
      devDependencies: { "@listwatch/reflector": "^1.0.0" },
    };
    expect(foreignDependencies(client, layers)).toEqual([
      "package.json depends on fake-apiserver; allowed: core-fifo",
      "the tests depend on reflector, which does not come before client",
    ]);
    const upward = { ...layers, "core-fifo": ["client"] };
    expect(foreignDependencies({ name: "@listwatch/core-fifo" }, upward)).toEqual([
      "the list allows client, which does not come before core-fifo",
    ]);
  });
});
