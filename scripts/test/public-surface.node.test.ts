import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Declarations } from "../checks/declarations.ts";
import { PublicSurface, type Entry } from "../checks/public-surface.ts";

type Files = Readonly<Record<string, string>>;

const entry = (name: string, path = ""): Entry => ({
  specifier: `@listwatch/${name}${path}`,
  package: name,
  file: `${name}/${path === "" ? "index" : path.slice(1)}.d.ts`,
});

const low = entry("low");
const lowBase = entry("low", "/base");
const high = entry("high");

function surfaceOf(files: Files, entries: readonly Entry[]): PublicSurface {
  const bySpecifier = new Map(entries.map(({ file, specifier }) => [specifier, file]));
  const declarations = new Declarations({
    read: (file) => files[file] ?? "",
    resolve: (source, from) =>
      source.startsWith(".")
        ? join(from, "..", source.replace(/\.ts$/, ".d.ts"))
        : bySpecifier.get(source),
  });
  return new PublicSurface(declarations, entries);
}

function forgottenIn(files: Files, entries: readonly Entry[] = [high]): readonly string[] {
  return surfaceOf(files, entries)
    .forgottenExports()
    .map(({ name, usedBy }) => `${name} of ${usedBy.join(", ")}`);
}

describe("a forgotten export is found", () => {
  test.each([
    ["in a parameter", "export declare function run(options?: Options): void;"],
    ["in a destructured parameter", "export declare function run({ a }?: Options): void;"],
    ["in a result", "export declare function run(): Promise<Options | undefined>;"],
    ["in a constraint", "export declare function run<T extends Options>(): void;"],
    ["in an `extends`", "export interface Run extends Pick<Options, never> {}"],
    ["in an `implements`", "export declare class Run implements Options {}"],
    ["in a superclass", "export declare class Run extends Options<string> {}"],
    ["in a member", "export interface Run { readonly options?: readonly Options[]; }"],
    ["in a method", "export declare class Run { #private; run(options: Options): void; }"],
    ["in a constructor", "export declare class Run { constructor(options: Options); }"],
    ["in an alias", "export type Run<T> = T extends Options ? { [K in keyof T]: T } : never;"],
    ["in a type query", "export type Run = keyof typeof Options;"],
    ["in an imported type", 'export type Run = import("./options.ts").Options;'],
  ])("%s", (_, declaration) => {
    const files = {
      "high/index.d.ts": 'export * from "./run.ts";',
      "high/run.d.ts": `import type { Options } from "./options.ts";\n${declaration}`,
      "high/options.d.ts": "export interface Options {}",
    };
    const user = /(?:function|interface|class|type) (\w+)/.exec(declaration)?.[1];
    expect(forgottenIn(files)).toEqual([`Options of ${user}`]);
  });

  test("when the module declares it and exports it to nothing else", () => {
    const files = { "high/index.d.ts": "type A = string;\nexport type B = A;\nexport {};" };
    expect(forgottenIn(files)).toEqual(["A of B"]);
  });

  test("of another package, if only its internal entry exports it", () => {
    const files = {
      "low/index.d.ts": 'export type { Known } from "./parts.ts";',
      "low/base.d.ts": 'export type { Known, Hidden } from "./parts.ts";',
      "low/parts.d.ts": "export interface Known {}\nexport interface Hidden {}",
      "high/index.d.ts":
        'import type { Hidden, Known } from "@listwatch/low/base";\n' +
        "export declare function run(hidden: Hidden, known: Known): void;",
    };
    expect(forgottenIn(files, [low, lowBase, high])).toEqual(["Hidden of run"]);
  });
});

describe("no export is forgotten", () => {
  test("under another name, or by another public entry", () => {
    const files = {
      "high/index.d.ts":
        'import type { Options, Part } from "./options.ts";\n' +
        'export type { Options as RunOptions } from "./options.ts";\n' +
        "export declare function run(options: Options, part: Part): void;",
      "high/part.d.ts": 'export type { Part } from "./options.ts";',
      "high/options.d.ts": "export interface Options {}\nexport interface Part {}",
    };
    expect(forgottenIn(files, [high, entry("high", "/part")])).toEqual([]);
  });

  test("where a name is a type parameter, or comes from elsewhere", () => {
    const files = {
      "high/index.d.ts":
        'import type { Server } from "node:http";\n' +
        "interface T {}\n" +
        "export declare function run<T>(server: Server, value: T): Promise<T>;",
    };
    expect(forgottenIn(files)).toEqual([]);
  });

  test("in the constructor of a class that is exported as a type", () => {
    const files = {
      "high/index.d.ts": 'export type { Run } from "./run.ts";',
      "high/run.d.ts":
        "interface Parts {}\n" +
        "export declare class Run { constructor(parts: Parts); static of(parts: Parts): Run; }",
    };
    expect(forgottenIn(files)).toEqual([]);
  });
});

test("values are what is there at run time, under the names of the entry", () => {
  const files = {
    "high/index.d.ts":
      'export { run, Run, limit as most, type Options } from "./run.ts";\n' +
      'export type { Stop } from "./run.ts";\n' +
      "declare const own: string;\nexport { own };",
    "high/run.d.ts":
      "export declare function run(): void;\nexport declare class Run {}\n" +
      "export declare class Stop {}\nexport interface Options {}\n" +
      "export declare const limit: number;",
  };
  const { names, values } = surfaceOf(files, [high]).namesOf(high);
  expect(names.toSorted()).toEqual(["Options", "Run", "Stop", "most", "own", "run"]);
  expect(values.toSorted()).toEqual(["Run", "most", "own", "run"]);
});

test("a name of two packages is ambiguous unless it is the same declaration", () => {
  const files = {
    "low/index.d.ts": "export interface Clock {}\nexport interface Options {}",
    "high/index.d.ts": 'export type { Clock } from "@listwatch/low";\nexport interface Options {}',
  };
  const entries = [low, high];
  expect(surfaceOf(files, entries).ambiguousNames(entries)).toEqual([
    { name: "Options", entries: ["@listwatch/low", "@listwatch/high"] },
  ]);
});
