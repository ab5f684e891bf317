import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { readDocuments } from "../../src/adapters/manifest-documents.ts";
import { decodeYaml } from "../../src/input/decode-yaml.ts";
import { applyJsonPatch } from "../../src/input/json-patch.ts";
import type { JsonPatchOperation } from "../../src/input/json-patch-operation.ts";
import { hasFormat } from "../../src/schema/formats.ts";
import { loadPatternEngine, matchesPattern } from "../../src/schema/pattern.ts";
import { validateSchema } from "../../src/schema/validate.ts";
import type { JsonSchema } from "../../src/api/json-schema.ts";
import { ApiClient } from "../support/api-client.ts";
import { growth, mostOfLinear } from "../support/growth.ts";
import { runtime } from "../support/listen-here.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

// Measured only in Node, whose clock and garbage collector are steady; the code is the same
// everywhere.
const onNode = { skip: runtime !== "node" };

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

describe("YAML takes time linear in its length", onNode, () => {
  test.each<[string, number, (size: number) => string]>([
    ["keys of a mapping", 200, (size) => lines(size, (index) => `key-${index}: value`)],
    ["keys of a flow mapping", 200, (size) => `{${lines(size, (index) => `"k${index}": 1,`)}}`],
    ["equal keys", 200, (size) => lines(size, () => "key: value")],
    ["anchors", 200, (size) => lines(size, (index) => `k${index}: &a${index} v`)],
    ["aliases", 200, (size) => `a: &a v\n${lines(size, (index) => `k${index}: *a`)}`],
    ["items", 200, (size) => lines(size, () => "- value")],
  ])("%s", async (_name, size, textOf) => {
    const ratio = await growth(size, (count) => {
      const text = textOf(count);
      return () => decodeYaml(text);
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });
});

describe("files of dumps are read in time linear in their length", onNode, () => {
  const map =
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: |\n    b\n\n    c\n";
  test.each<[string, (size: number) => string]>([
    ["documents", (size) => lines(size, () => `---\n${map}`)],
    [
      "items",
      (size) => `kind: List\nitems:\n${lines(size, () => `- ${map.replaceAll("\n", "\n  ")}`)}\n`,
    ],
    ["keys", (size) => `${lines(16 * size, (index) => `key-${index}: value`)}\n`],
    ["blank lines", (size) => `a: |\n  b\n${lines(32 * size, () => "")}\nc: d\n`],
    ["continued lines", (size) => `a: "b\n${lines(16 * size, () => "  c")}"\n`],
    ["flow collections", (size) => lines(size, () => "- {a: b}")],
    ["JSON lines", (size) => lines(4 * size, () => '{"kind": "ConfigMap", "data": {"a": "\\"b"}}')],
    ["items in JSON", (size) => `{"items": [${lines(4 * size, () => '{"a": ["}"]},')}{}]}`],
    ["backslashes in JSON", (size) => `{"a": "${"\\\\".repeat(16 * size)}"}`],
  ])("%s", async (_name, textOf) => {
    const ratio = await growth(60, (size) => {
      const text = textOf(size);
      return () => readDocuments(text);
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });
});

describe("a JSON Patch takes time linear in object and operations", onNode, () => {
  const keysOf = (size: number): Record<string, unknown> => {
    const data: Record<string, unknown> = {};
    for (let index = 0; index < 4 * size; index++) data[`key-${index}`] = "value";
    return { data, list: Object.values(data) };
  };
  const operation = (op: string, path: string, value: unknown = null): JsonPatchOperation => ({
    op,
    path,
    from: "/data/key-0",
    value,
  });

  test.each<[string, (index: number) => JsonPatchOperation]>([
    ["add", (index) => operation("add", `/data/new-${index}`, "value")],
    ["replace", (index) => operation("replace", `/data/key-${index}`, "other")],
    ["remove", (index) => operation("remove", `/data/key-${index}`)],
    ["copy", (index) => operation("copy", `/data/new-${index}`)],
    ["test", () => operation("test", "/data/key-1", "value")],
    ["append", () => operation("add", "/list/-", "value")],
  ])("%s", async (_name, operationAt) => {
    // Small enough that the large object fits into the processor's cache.
    const ratio = await growth(64, (size) => {
      const object = keysOf(size);
      const operations = Array.from({ length: size }, (_, index) => operationAt(index));
      return () => applyJsonPatch(object, operations);
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });

  test("a test of a large object with a small value reads only the small one", async () => {
    // Small enough that the large object fits into the processor's cache.
    const ratio = await growth(64, (size) => {
      const object = keysOf(size);
      const tests = Array.from({ length: size }, () => operation("test", "/data", {}));
      return () => {
        expect(() => applyJsonPatch(object, tests.slice(0, 1))).toThrow(/rejected/);
        const passing = tests.flatMap((one, index) => [
          operation("add", `/small`, {}),
          { ...one, path: "/small" },
          operation("remove", `/data/key-${index}`),
        ]);
        return applyJsonPatch(object, passing);
      };
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });
});

describe("the validation of a string takes time linear in its length", onNode, () => {
  test.each([
    ["^(a+)+$", "a"],
    ["^([a-z]+)*$", "a"],
    ["(x+x+)+y", "x"],
    [String.raw`^(\w+\s?)*$`, "a"],
  ])("pattern %s", async (pattern, letter) => {
    await loadPatternEngine();
    const ratio = await growth(15_000, (size) => {
      const text = `${letter.repeat(size)}!`;
      return () => matchesPattern(text, pattern);
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });

  test.each([
    ["duration", (size: number) => "1".repeat(size)],
    ["duration", (size: number) => `${" ".repeat(size)}x`],
    ["duration", (size: number) => "1.1".repeat(size)],
    ["email", (size: number) => `${"a.".repeat(size)}@`],
    ["email", (size: number) => "<".repeat(size)],
    ["email", (size: number) => `"${'"@'.repeat(size)}`],
    ["uri", (size: number) => `a${"+".repeat(size)}`],
    ["cidr", (size: number) => "1/".repeat(size)],
    ["ipv6", (size: number) => "1:".repeat(size)],
    ["rgbcolor", (size: number) => `rgb(${" ".repeat(size)}`],
    ["byte", (size: number) => `${"A".repeat(4 * size)}!!!!`],
    ["mac", (size: number) => "aa:".repeat(size)],
    ["date-time", (size: number) => `2026-01-01T00:00:00.${"1".repeat(size)}`],
    ["creditcard", (size: number) => "4 ".repeat(size)],
    ["isbn", (size: number) => "1-".repeat(size)],
    ["hostname", (size: number) => "a.".repeat(size)],
  ])("format %s %#", async (format, textOf) => {
    const ratio = await growth(15_000, (size) => {
      const text = textOf(size);
      return () => hasFormat(text, format);
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });

  test("items of a list with keys are found in the old list in linear time", async () => {
    const schema: JsonSchema = {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: { type: "object", properties: { name: { type: "string" } } },
    };
    const ratio = await growth(500, (size) => {
      const items = Array.from({ length: size }, (_, index) => ({ name: `n${index}` }));
      return () => validateSchema(items, schema, { old: items.toReversed() });
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });
});

test("a pattern of a definition is matched without backtracking", async () => {
  const client = new ApiClient(new FakeApiServer());
  const schema = {
    type: "object",
    properties: { text: { type: "string", pattern: "^(a+)+$" } },
  };
  const definition = await client.call(
    "POST",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    widgetsCrd(schema),
  );
  expect(definition.status).toBe(201);
  const widget = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "a" },
    text: `${"a".repeat(100_000)}!`,
  };
  // Backtracking would take exponential time here.
  const path = "/apis/example.com/v1/namespaces/default/widgets";
  expect((await client.call("POST", path, widget)).status).toBe(422);
});
