import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { causes, definition, definitions, jar, jars, setUp, withRules } from "./jars.ts";

/** Creates a definition with a rule of its spec and returns the refusal of the rule. */
async function refusalOf(rule: string, properties: object): Promise<string> {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const spec = withRules([{ rule }], properties);
  const { body, status } = await client.call("POST", definitions, definition(spec));
  expect(status).toBe(422);
  return String(body["message"]);
}

/** Creates a jar under a rule of its spec and returns the causes of its refusal. */
async function judged(rule: Json, properties: object, spec: Json): Promise<readonly string[]> {
  const client = await setUp(withRules([rule], properties));
  const { body, status } = await client.call("POST", jars, jar(spec));
  return status === 201 ? [] : causes(body);
}

async function isKept(rule: string, properties: object, spec: Json): Promise<boolean> {
  return (await judged({ rule }, properties, spec)).length === 0;
}

const strings = { type: "array", items: { type: "string" } };

describe("metadata in the rules at the root (CEL-2)", () => {
  const versions = (rule: string): Json => {
    const made = definition({ type: "object" });
    const [version] = made["spec"]["versions"] as Json[];
    const schema = version?.["schema"]["openAPIV3Schema"] as Record<string, unknown>;
    schema["x-kubernetes-validations"] = [{ rule }];
    return made;
  };

  test("has the names and the kind", async () => {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    const rule = "self.metadata.name == 'tea' && self.kind == 'Jar'";
    expect((await client.call("POST", definitions, versions(rule))).status).toBe(201);
    expect((await client.call("POST", jars, jar({}))).status).toBe(201);
    expect((await client.call("POST", jars, jar({}, { name: "salt" }))).status).toBe(422);
  });

  test("has no other fields", async () => {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    const { body } = await client.call("POST", definitions, versions("has(self.metadata.labels)"));
    expect(body["message"]).toContain("undefined field 'labels'");
  });
});

describe("the schema decides on the types of values (CEL-3)", () => {
  test.each([
    ["integer", { type: "integer" }, "type(self.x) == int", 3],
    ["number", { type: "number" }, "type(self.x) == double", 3],
    ["string", { type: "string" }, "type(self.x) == string", "a"],
    ["byte", { type: "string", format: "byte" }, "self.x == b'tea'", "dGVh"],
    ["date", { type: "string", format: "date" }, "self.x.getFullYear() == 2026", "2026-03-01"],
    [
      "date-time",
      { type: "string", format: "date-time" },
      "self.x > timestamp('2025-01-01T00:00:00Z')",
      "2026-03-01T10:00:00Z",
    ],
    ["duration", { type: "string", format: "duration" }, "self.x == duration('90s')", "1m30s"],
    [
      "map",
      { type: "object", additionalProperties: { type: "integer" } },
      "self.x.all(k, self.x[k] > 0)",
      { a: 1 },
    ],
    ["list", strings, "self.x.size() == 2 && self.x[1] == 'b'", ["a", "b"]],
    ["int-or-string", { "x-kubernetes-int-or-string": true }, "type(self.x) == int", 80],
    ["int-or-string", { "x-kubernetes-int-or-string": true }, "type(self.x) == string", "80%"],
  ])("%s, %o: %s", async (_name, schema, rule, x) => {
    expect(await isKept(rule, { x: schema }, { x })).toBe(true);
  });

  test.each([
    ["a field without a schema", "has(self.zz)", { x: { type: "string" } }, "zz"],
    [
      "an unknown value",
      "has(self.x)",
      { x: { "x-kubernetes-preserve-unknown-fields": true } },
      "x",
    ],
    ["a field of an object without properties", "self.x.y == 1", { x: { type: "object" } }, "y"],
  ])("%s does not exist", async (_name, rule, properties, field) => {
    expect(await refusalOf(rule, properties)).toContain(`undefined field '${field}'`);
  });

  test("a value of another type is refused when the rule is compiled", async () => {
    const message = await refusalOf("self.x == 'a'", { x: { type: "integer" } });
    expect(message).toContain("found no matching overload for '_==_' applied to '(int, string)'");
  });
});

test.each([
  ["namespace", "__namespace__"],
  ["a__b", "a__underscores__b"],
  ["a.b", "a__dot__b"],
  ["a-b", "a__dash__b"],
  ["a/b", "a__slash__b"],
])("the property %s is %s in a rule (CEL-4)", async (name, escaped) => {
  const properties = { [name]: { type: "string" } };
  expect(await isKept(`self.${escaped} == 'x'`, properties, { [name]: "x" })).toBe(true);
  expect(await isKept(`self.${escaped} == 'x'`, properties, { [name]: "y" })).toBe(false);
});

describe("lists (CEL-5)", () => {
  const byName = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, size: { type: "integer" } },
    },
  };
  const set = { ...strings, "x-kubernetes-list-type": "set" };
  const a = { name: "a", size: 1 };
  const b = { name: "b", size: 2 };

  const old = { rule: "self.x == oldSelf.x" };

  test.each([
    ["sets in any order", set, ["a", "b"], ["b", "a"], true],
    ["sets with other values", set, ["a", "b"], ["b", "c"], false],
    ["maps in any order", byName, [a, b], [b, a], true],
    ["maps with other values", byName, [a, b], [b, { name: "a", size: 3 }], false],
    ["atomic lists in order", strings, ["a", "b"], ["b", "a"], false],
  ])("are compared as %s", async (_name, list, x, changed, isEqual) => {
    const client = await setUp(withRules([old], { x: list }));
    await client.call("POST", jars, jar({ x }));
    const { status } = await client.call("PATCH", `${jars}/tea`, { spec: { x: changed } });
    expect(status).toBe(isEqual ? 200 : 422);
  });

  test.each([
    ["sets", set, ["a", "b"], ["b", "c"], "oldSelf.x + self.x == ['a', 'b', 'c']"],
    [
      "maps",
      byName,
      [a, b],
      [{ name: "a", size: 9 }],
      "(oldSelf.x + self.x).map(i, i.size) == [9, 2]",
    ],
    ["atomic lists", strings, ["a", "b"], ["b"], "oldSelf.x + self.x == ['a', 'b', 'b']"],
  ])("are joined as %s", async (_name, list, x, changed, rule) => {
    const client = await setUp(withRules([{ rule }], { x: list }));
    await client.call("POST", jars, jar({ x }));
    const { body } = await client.call("PATCH", `${jars}/tea`, { spec: { x: changed } });
    expect(body["message"]).toBeUndefined();
  });
});

test.each([
  ["self.m['b'] == 1", "no such key: b"],
  ["self.l[3] == 1", "index out of bounds: 3"],
  ["self.n / (self.n - self.n) == 1", "division by zero"],
  ["self.n * 9223372036854775807 == 1", "integer overflow"],
])("an error of %s is one of the object (CEL-13)", async (rule, error) => {
  const properties = {
    m: { type: "object", additionalProperties: { type: "integer" } },
    l: { type: "array", items: { type: "integer" } },
    n: { type: "integer" },
  };
  const found = await judged({ rule }, properties, { m: { a: 1 }, l: [1], n: 5 });
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(`${error} evaluating rule: ${rule}`);
});

test.each([
  ["fails", "string(self.l[3])"],
  ["is empty", "''"],
  ["is blank", "'  '"],
  ["has two lines", "'a\\nb'"],
  ["is longer than 5,120 bytes", "self.s + self.s"],
  ["is longer than 5,120 bytes of UTF-8", "self.s.replace('x', 'ä')"],
])(
  "a computed message that %s is replaced by the fixed one (CEL-14)",
  async (_name, messageExpression) => {
    const rule = { rule: "self.n > 5", message: "too small", messageExpression };
    const properties = {
      n: { type: "integer" },
      s: { type: "string", maxLength: 4000 },
      l: { type: "array", items: { type: "integer" } },
    };
    const found = await judged(rule, properties, { n: 1, s: "x".repeat(4000), l: [1] });
    expect(found).toEqual(["FieldValueInvalid spec Invalid value: too small"]);
  },
);
