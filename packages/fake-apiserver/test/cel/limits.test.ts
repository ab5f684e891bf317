import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { causes, definition, definitions, jar, jars, setUp, withRules } from "./jars.ts";

const numbers = { type: "array", items: { type: "integer" } };
const exceeded = "no further validation rules will be run due to call cost exceeds limit";

async function causeOf(spec: object, value: Json): Promise<string> {
  const client = await setUp(spec);
  const { body, status } = await client.call("POST", jars, jar(value));
  return status === 201 ? "" : causes(body).join("\n");
}

async function compileError(rule: string, properties: object): Promise<string> {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const { body } = await client.call(
    "POST",
    definitions,
    definition(withRules([{ rule }], properties)),
  );
  return String(body["message"]);
}

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

describe("a rule ends with the server's error (CEL-16)", () => {
  test.each([
    ["makes a large list", "lists.range(100000000000).size() > 0"],
    [
      "ignores the error of a negative range",
      "lists.range(-100000000).size() > 0 || self.a.all(x, self.a.all(y, true))",
    ],
    ["compares all items with each other", "self.a.distinct().size() > 0"],
    ["compares two lists", "sets.contains(self.a, self.a)"],
    ["flattens nested lists", "self.a.map(x, self.a).flatten().size() > 0"],
    ["joins long strings", "self.a.map(x, self.s).join(self.s).size() > 0"],
    ["replaces by long strings", "self.s.replace('', self.s).size() > 0"],
    ["matches long patterns", "self.s.matches(self.s)"],
    ["writes a list for each item", "self.a.all(x, '%s'.format([self.a]) != '')"],
    ["writes many digits", "'%.99999999f'.format([1.0]) != ''"],
    ["searches long texts", "self.s.contains(self.s + 'b')"],
    ["looks for the place of long texts", "self.s.indexOf(self.s) == 1"],
    ["joins empty texts", "self.a.all(x, self.e.join() == '')"],
    ["compares nested lists", "self.a.all(x, [[self.a]] == [[self.b]])"],
    ["orders long texts", "self.a.all(x, [self.s, self.s + 'a'].isSorted())"],
    ["matches many instructions", "self.s.matches('(x{1,30}){1,30}y|a{1000}a{1000}b')"],
    [
      "compiles many instructions",
      "self.a.all(x, !''.matches(string(x) + '(a{999})'.replace('', 'a{999}', 1)))",
    ],
    ["finds after long searches", "self.s.findAll('a.*b|a').size() > 0"],
    ["checks long texts", "self.a.all(x, format.dns1123Label().validate(self.s).hasValue())"],
    [
      "reads many times in a zone",
      "lists.range(50000).all(x, self.t.getHours('Asia/Tokyo') > 25 || true)",
    ],
    ["creates many lists", `self.a.all(x, [${"x,".repeat(2000)}x].size() > 0)`],
    ["joins maps", "lists.range(200).all(x, [1].transformMapEntry(i, v, self.m).size() > 0)"],
  ])("if it %s: %s", async (_name, rule) => {
    const spec = withRules([{ rule }], {
      a: numbers,
      b: numbers,
      e: { type: "array", items: { type: "string" } },
      m: { type: "object", additionalProperties: { type: "integer" } },
      s: { type: "string" },
      t: { type: "string", format: "date-time" },
    });
    const values = {
      a: count(20_000),
      b: count(20_000),
      e: count(20_000).map(() => ""),
      m: Object.fromEntries(count(10_000).map((index) => [`k${index}`, index])),
      s: "a".repeat(200_000),
      t: "2026-03-01T10:00:00Z",
    };
    const read = Object.entries(values).filter(([name]) => rule.includes(`self.${name}`));
    const value = Object.fromEntries(read);
    expect(await causeOf(spec, value)).toContain(exceeded);
  });

  test("if all rules of an object take too many steps together", async () => {
    const rules = [{ rule: "self.matches(self)" }];
    const text = { type: "string", "x-kubernetes-validations": rules };
    const spec = { type: "object", properties: { many: { type: "array", items: text } } };
    const value = { many: count(20).map(() => "a".repeat(6000)) };
    expect(await causeOf(spec, value)).toBe(
      'FieldValueInvalid spec.many[11] Invalid value: "string": validation failed due to running ' +
        "out of cost budget, no further validation rules will be run",
    );
  });
});

test("a function with the name of a member of JavaScript's objects is unknown (CEL-13)", async () => {
  const rule = "toString(1) == '' || [?self.?s].size() == 0";
  const message = await compileError(rule, { s: { type: "string" } });
  expect(message).toContain("undeclared reference to 'toString' (in container '')");
});

test("a computed message that takes too long is replaced by the fixed one (CEL-14)", async () => {
  const rule = {
    rule: "false",
    message: "no",
    messageExpression: "string(lists.range(100000000).size())",
  };
  expect(await causeOf(withRules([rule], {}), {})).toBe("FieldValueInvalid spec Invalid value: no");
});

describe("an expression is refused (CEL-21)", () => {
  test("with a macro that a server does not have", async () => {
    const message = await compileError("cel.bind(x, 1, x == 1)", {});
    expect(message).toContain("undeclared reference to 'cel' (in container '')");
  });

  test("if it nests too deeply", async () => {
    const message = await compileError(`${"[".repeat(3000)}1${"]".repeat(3000)} == []`, {});
    expect(message).toContain("ERROR: <input>:-1:0: expression recursion limit exceeded: 250");
  });

  test.each([
    ["9223372036854775808 > 0", "invalid int literal"],
    ["-(9223372036854775809) < 0", "invalid int literal"],
    ["0xFFFFFFFFFFFFFFFFF > 0", "invalid int literal"],
    ["[1].all(i, i, i > 0)", "duplicate variable name: i"],
  ])("that a server's parser refuses: %s", async (rule, problem) => {
    expect(await compileError(rule, {})).toContain(problem);
  });

  test("if it is too long", async () => {
    const message = await compileError(`${"true && ".repeat(12_500)}true`, {});
    const limit = "expression code point size exceeds limit: size: 100004, limit 100000";
    expect(message).toContain(`ERROR: <input>:-1:0: ${limit}`);
  });
});

describe("optional entries of lists and maps (CEL-1)", () => {
  const s = { s: { type: "string" } };

  test.each([
    "'a' in [?optional.of('a')] && [?optional.none()] == []",
    "[?self.?s, 'b'] == ['b'] && [[?self.?s]][0] == []",
    "{?'a': self.?s, 'b': 'c'} == {'b': 'c'}",
    "{'a': [?optional.of(1)], 'b': [2]} == {'a': [1], 'b': [2]}",
    "[ // a comment\n ?optional.of(1)] == [1] && [1][?0].hasValue()",
  ])("are left out or taken: %s", async (rule) => {
    const message = "no";
    expect(await causeOf(withRules([{ rule, message }], s), {})).toBe("");
  });

  test.each([
    ["[?self.?s][0] == 1", "found no matching overload for '_==_' applied to '(string, int)'"],
    ["[?'a'] == []", "expected type 'optional_type(string)' but found 'string'"],
    ["add(1, 2) == 3 || [?self.?s] == []", "undeclared reference to 'add'"],
    ["self.nope == 1 || [?self.?s] == []", "undefined field 'nope'"],
    ["size(self.s, ?self.?s) == 1", "Syntax error"],
  ])("are checked with the rest: %s", async (rule, problem) => {
    expect(await compileError(rule, s)).toContain(problem);
  });
});

test.each([
  `'''it's has(self.s) {?''' == "it's has(self.s) {?"`,
  String.raw`r'\d has(x) [?' == "\\d has(x) [?"`,
  "true // it's has(self.s",
])("strings and comments may contain what looks like syntax: %s (CEL-1)", async (rule) => {
  expect(await causeOf(withRules([{ rule }], { s: { type: "string" } }), {})).toBe("");
});

test.each([
  ["self.s.lastIndexOf('a', 100) == -1 && self.s.indexOf('a', 100) == -1", ""],
  ["self.s.indexOf('', 100) == 3 && self.s.lastIndexOf('a', 2) == 2", ""],
  ["self.s.indexOf('a', -1) == 0", "index out of range: -1"],
  ["'%.200f'.format([1.0]).size() == 202", ""],
  ["'😀b'.replace('', '-') == '-😀-b-'", ""],
  ["'ab'.replace('', '-', 0) == 'ab' && 'ab'.replace('', '-', 1) == '-ab'", ""],
  ["'ab'.replace('', '-', 2) == '-a-b' && 'ab'.replace('', '-', -1) == '-a-b-'", ""],
  ["'aaa'.replace('a', 'b', 2) == 'bba' && 'aaa'.replace('a', 'b', 9) == 'bbb'", ""],
  ["'%.0f %.0f %.1f'.format([2.5, 3.5, -0.25]) == '2 4 -0.2'", ""],
  ["'%.0f'.format([1e22]) == '10000000000000000000000' && '%f'.format([0.0]) == '0.000000'", ""],
  ["'%.200e'.format([1.0]).size() == 206 && '%.2e'.format([0.000999999]) == '1.00e-03'", ""],
  ["'%e %.1e %.0e'.format([123456789.0, 9.96, 0.0]) == '1.234568e+08 1.0e+01 0e+00'", ""],
  ["'\\ufeffa \\u0085'.trim() == '\\ufeffa'", ""],
  ["double('1e400') > 0.0", 'strconv.ParseFloat: parsing "1e400": value out of range'],
  ["isURL('http://a/?x=%zz') && isURL('*') && !isURL('http://%41/')", ""],
  ["url('http://a/?x=%zz&b=1&b=2').getQuery() == {'b': ['1', '2']}", ""],
  ["!isURL('http://exa<mple/') && !isURL('http://a/%zz') && isURL('http://%c3%a4/')", ""],
  ["!isSemver('1.2-alpha', true) && !isSemver('99999999999999999999.0.0')", ""],
  ["isSemver('v1.2', true) && isSemver('18446744073709551615.0.0')", ""],
  ["-9223372036854775808 < 0 && 0x7FFFFFFFFFFFFFFF > 0", ""],
  ["lists.range(-1).size() == 0", "lists.range: size must be non-negative, got -1"],
])("the ends of ranges are those of a server: %s (CEL-13)", async (rule, problem) => {
  const cause = await causeOf(withRules([{ rule }], { s: { type: "string" } }), { s: "aaa" });
  expect(cause).toBe(
    problem === ""
      ? ""
      : `FieldValueInvalid spec Invalid value: "object": ${problem} evaluating rule: ${rule}`,
  );
});

test("an old value that the new schema does not allow is an error of the rule (CEL-13)", async () => {
  const path = `${definitions}/jars.kitchen.example`;
  const client = await setUp({ type: "object", properties: { b: { type: "string" } } });
  await client.call("POST", jars, jar({ b: "!!!" }));
  const stored = (await client.get(path)).body;
  const rules = [{ rule: "self == oldSelf" }];
  const b = { type: "string", format: "byte", "x-kubernetes-validations": rules };
  const changed = definition({ type: "object", properties: { b } });
  const metadata = stored["metadata"] as Json;
  expect((await client.call("PUT", path, { ...changed, metadata })).status).toBe(200);
  const { body, status } = await client.call("PATCH", `${jars}/tea`, { spec: { b: "dGVh" } });
  expect(status).toBe(422);
  expect(causes(body).join("\n")).toContain("evaluating rule: self == oldSelf");
});

test("items of a list of the type map find their old items by their keys (CEL-11)", async () => {
  const rules = [{ rule: "self.size >= oldSelf.size", message: "only grows" }];
  const item = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, size: { type: "integer" } },
    "x-kubernetes-validations": rules,
  };
  const parts = {
    type: "array",
    items: item,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  };
  const client = await setUp({ type: "object", properties: { parts } });
  const partsOf = (a: number, b: number): Json[] => [
    { name: "b", size: b },
    { name: "a", size: a },
  ];
  await client.call("POST", jars, jar({ parts: partsOf(1, 5).toReversed() }));
  const grown = await client.call("PATCH", `${jars}/tea`, { spec: { parts: partsOf(2, 5) } });
  expect(grown.status).toBe(200);
  const { body } = await client.call("PATCH", `${jars}/tea`, { spec: { parts: partsOf(2, 4) } });
  expect(causes(body)).toEqual(["FieldValueInvalid spec.parts[0] Invalid value: only grows"]);
});

describe("defaults and pruning come before rules (CEL-6)", () => {
  test("so a rule sees a default", async () => {
    const spec = withRules([{ rule: "self.size == 3" }], {
      size: { type: "integer", default: 3 },
    });
    expect(await causeOf(spec, {})).toBe("");
  });

  test("and a null is not judged at its own place", async () => {
    const size = {
      type: "integer",
      nullable: true,
      "x-kubernetes-validations": [{ rule: "self > 3" }],
    };
    expect(await causeOf({ type: "object", properties: { size } }, { size: null })).toBe("");
  });

  test("and a field that the schema does not name is pruned", async () => {
    const spec = withRules([{ rule: "self == oldSelf" }], { size: { type: "integer" } });
    const client = await setUp(spec);
    await client.call("POST", jars, jar({ size: 1 }));
    const patched = await client.call("PATCH", `${jars}/tea`, { spec: { other: 1 } });
    expect(patched.status).toBe(200);
  });
});

describe("the fields of a rule are checked (CEL-20)", () => {
  const valid = "self.size == 1";
  test.each([
    [{ rule: " " }, ".rule Required value: rule is not specified"],
    [{ rule: valid, message: " " }, '.message Invalid value: " ": must be non-empty if specified'],
    [{ rule: valid, message: "a\nb" }, "must not contain line breaks"],
    [{ rule: "self.size\n== 1" }, ".message Required value: message must be specified if rule"],
    [
      { rule: valid, messageExpression: " " },
      "messageExpression Required value: must be non-empty",
    ],
    [{ rule: valid, reason: "Other" }, '.reason Unsupported value: "Other": supported values:'],
    [{ rule: valid, fieldPath: ".other" }, "fieldPath must be a valid path"],
    [{ rule: valid, fieldPath: ".hasOwnProperty" }, "fieldPath must be a valid path"],
    [{ rule: valid, fieldPath: ".__proto__" }, "fieldPath must be a valid path"],
    [{ rule: valid, fieldPath: "size" }, "fieldPath must be a valid path"],
    [{ rule: valid, fieldPath: " " }, "must be non-empty if specified"],
  ])("%o: %s", async (rule, cause) => {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    const spec = withRules([rule], { size: { type: "integer" } });
    const { body } = await client.call("POST", definitions, definition(spec));
    expect(causes(body).join("\n")).toContain(cause);
  });
});

test("rules of a value without a type are refused (CEL-3)", async () => {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const open = { "x-kubernetes-preserve-unknown-fields": true };
  const ruled = { ...open, "x-kubernetes-validations": [{ rule: "self.a == 1" }] };
  const spec = { type: "object", properties: { open: ruled } };
  const { body, status } = await client.call("POST", definitions, definition(spec));
  expect(status).toBe(422);
  expect(causes(body).join("\n")).toContain(
    "properties[open].x-kubernetes-validations Internal error: internal error: " +
      "failed to retrieve type information for x-kubernetes-validations",
  );
});

test.each(["allOf", "anyOf", "oneOf"])("rules below %s are refused (CEL-24)", async (name) => {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const spec = {
    type: "object",
    properties: { size: { type: "integer" } },
    [name]: [{ "x-kubernetes-validations": [{ rule: "true" }] }],
  };
  const { body, status } = await client.call("POST", definitions, definition(spec));
  expect(status).toBe(422);
  const field = `properties[spec].${name}[0].x-kubernetes-validations`;
  expect(causes(body).join("\n")).toContain(`${field} Forbidden: must be empty to be structural`);
});

test.each([
  "self.s.reverse() == ''",
  "base64.encode(b'a') == ''",
  "math.greatest(1, 2) == 2",
  "authorizer.path('/').check('get').allowed()",
  "jsonpatch.escapeKey('a') == ''",
])("functions of other environments do not exist: %s (CEL-1)", async (rule) => {
  expect(await compileError(rule, { s: { type: "string" } })).toContain("compilation failed");
});
