import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readLayers } from "../src/integrations/package-layers.ts";
import { allLayers, singleLayers, type Layers } from "../src/components/live/single-layers.ts";

const layers: Layers = readLayers();

test("each name comes from the package that exports it, types as types", () => {
  const code = `// A comment.
import { SharedInformer, createConnection, type Connection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";

console.log(SharedInformer);
`;
  expect(singleLayers(code, layers)).toBe(`// A comment.
import { createConnection, type Connection } from "@listwatch/client";
import { SharedInformer } from "@listwatch/shared-informer";
import { FakeApiServer } from "@listwatch/fake-apiserver";

console.log(SharedInformer);
`);
});

test("types alone are imported as types, and long imports take several lines", () => {
  const code = 'import { RealFIFO, type Connection, type SharedInformerOptions } from "listwatch";';
  expect(singleLayers(code, layers).split("\n")).toEqual([
    'import type { Connection } from "@listwatch/client";',
    'import { RealFIFO } from "@listwatch/core-fifo";',
    'import type { SharedInformerOptions } from "@listwatch/shared-informer";',
  ]);
  const names = ["createClient as first", "createClient as second", "createClient as third"];
  const long = `import { ${names.join(", ")}, createConnection } from "listwatch";`;
  expect(singleLayers(long, layers)).toBe(`import {
  createClient as first,
  createClient as second,
  createClient as third,
  createConnection,
} from "@listwatch/client";`);
});

test("what no layer exports stays, and so do other imports", () => {
  const code = `import { foo, RealFIFO } from "listwatch";
import { connect } from "listwatch/node";
import * as all from "listwatch";
import "listwatch";
import { test } from "vitest";`;
  expect(singleLayers(code, layers)).toBe(`import { RealFIFO } from "@listwatch/core-fifo";
import { foo } from "listwatch";
import { connect } from "listwatch/node";
import * as all from "listwatch";
import "listwatch";
import { test } from "vitest";`);
});

test("a program of single layers becomes one of listwatch again", () => {
  const code = `import { RealFIFO } from "@listwatch/core-fifo";
import { SharedInformer } from "@listwatch/shared-informer";
import { pods } from "@listwatch/resources/core/v1";
import { SimulatedClock } from "@listwatch/testing";

void RealFIFO;`;
  expect(allLayers(code, layers)).toBe(`import { RealFIFO, SharedInformer } from "listwatch";
import { pods } from "listwatch/resources/core/v1";
import { SimulatedClock } from "listwatch/testing";

void RealFIFO;`);
});

test("a name in two packages comes from the one that listwatch takes it from", async () => {
  const all: Readonly<Record<string, unknown>> = await import("listwatch");
  const values = Object.keys(all).toSorted();
  const types = new Set(layers.types);
  const known = Object.keys(layers.names).filter((name) => !types.has(name));
  expect(known.toSorted()).toEqual(values);
  const others: string[] = [];
  for (const name of values) {
    const layer = (await import(layers.names[name] ?? "")) as Readonly<Record<string, unknown>>;
    if (layer[name] !== all[name]) others.push(name);
  }
  expect(others).toEqual([]);
});

test("every example keeps its imports when it is switched there and back", () => {
  const files = globSync("examples/{*,build-your-own/*,testing/*,tutorial/*}.ts");
  expect(files.length).toBeGreaterThan(30);
  const broken = files.filter((file) => {
    const layered = singleLayers(readFileSync(file, "utf8"), layers);
    const again = singleLayers(allLayers(layered, layers), layers);
    const isLayered = !/^import \{[^}]*\} from "listwatch";/m.test(layered);
    return !isLayered || singleLayers(again, layers) !== again;
  });
  expect(broken).toEqual([]);
});
