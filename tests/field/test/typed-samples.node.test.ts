import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import {
  literalOf,
  programOf,
  readErrors,
  withoutIgnoredNulls,
  type Sample,
} from "../custom-resources/typed-samples.ts";

function evaluate(literal: string): unknown {
  return runInThisContext(`(${literal})`);
}

test("a literal has the value, with names and strings that look like code", () => {
  const value = JSON.parse(
    String.raw`{ "__proto__": { "a": 1 }, "a-b": ["\"; x", "\u2028\n*/ $ {a}", "'"], "": {},
      "constructor": [], "list": [[1, -0.5e-9], [], [null, true]], "1e3": 9007199254740993 }`,
  ) as unknown;
  const literal = evaluate(literalOf(value));
  expect(literal).toEqual(value);
  expect(Object.keys(literal as object)).toEqual(Object.keys(value as object));
});

test("a program creates and applies each sample, and has the line where it begins", () => {
  const samples = [
    sampleOf("Namespaced", { metadata: { generateName: "a-" }, spec: { text: "a\nb" } }),
    sampleOf("Cluster", { metadata: { name: "b", namespace: "other" } }),
  ];
  const { lines, text } = programOf(samples);
  const rows = text.split("\n");
  expect(lines.map((line) => rows[line - 1])).toEqual([
    "void client.resource(m0.widgets).create({",
    "void client.resource(m0.widgets).create({",
  ]);
  const literals = [...text.matchAll(/(create|apply)\((.*?)\);$/gms)];
  expect(literals.map(([, verb, literal]) => [verb, evaluate(literal ?? "")])).toEqual([
    ["create", { metadata: { generateName: "a-" }, spec: { text: "a\nb" } }],
    [
      "apply",
      {
        metadata: { name: "sample", generateName: "a-", namespace: "default" },
        spec: { text: "a\nb" },
      },
    ],
    // The server ignores its namespace.
    ["create", { metadata: { name: "b" } }],
    ["apply", { metadata: { name: "b" } }],
  ]);
});

test("nulls that the server stores are kept, others are left out", () => {
  const sample = {
    metadata: { name: "a", creationTimestamp: null },
    spec: { kept: null, ignored: null, list: [{ a: null, b: 1 }, null], other: { a: null } },
  };
  const stored = {
    metadata: { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { kept: null, list: [{ b: 1, c: "default" }, null] },
  };
  expect(withoutIgnoredNulls(sample, stored)).toEqual({
    metadata: { name: "a" },
    spec: { kept: null, list: [{ b: 1 }, null], other: {} },
  });
});

test("errors of the compiler have their place, and all lines of their message", () => {
  const output = [
    "samples-0.ts(7,5): error TS2322: Type 'null' is not assignable to type 'string'.",
    "samples-1.ts(12,3): error TS2345: Argument is not assignable.",
    "  Property 'spec' is missing.",
    "    In detail.",
    "",
  ];
  expect(readErrors(output.join("\n"))).toEqual([
    {
      file: "samples-0.ts",
      line: 7,
      message: "TS2322: Type 'null' is not assignable to type 'string'.",
    },
    {
      file: "samples-1.ts",
      line: 12,
      message: "TS2345: Argument is not assignable.\n  Property 'spec' is missing.\n    In detail.",
    },
  ]);
  expect(readErrors("")).toEqual([]);
  expect(() => readErrors("error TS5083: Cannot read file 'tsconfig.json'.")).toThrow("TS5083");
});

function sampleOf(scope: "Namespaced" | "Cluster", object: Record<string, unknown>): Sample {
  const resource = { group: "example.com", version: "v1", resource: "widgets", scope } as const;
  const handle = {
    module: "definitions-1.ts",
    name: "widgets",
    resource: { ...resource, kind: "Widget" },
  };
  return { project: "Example", file: "a.yaml", handle, object };
}
