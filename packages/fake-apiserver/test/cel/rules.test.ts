import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { causes, definition, definitions, jar, jars, setUp, withRules } from "./jars.ts";

const colour = {
  type: "string",
  "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "colour cannot change" }],
};

describe("the rules of a definition", () => {
  const small = { rule: "!has(self.litres) || self.litres < 5", message: "too big" };
  const spec = withRules([small], { colour, litres: { type: "integer" } });

  test("refuse a new object (CEL-12)", async () => {
    const client = await setUp(spec);
    const { body, status } = await client.call("POST", jars, jar({ litres: 9 }));
    expect(status).toBe(422);
    expect(causes(body)).toEqual(["FieldValueInvalid spec Invalid value: too big"]);
    expect((await client.call("POST", jars, jar({ litres: 4 }))).status).toBe(201);
  });

  test("compare an object with the stored one, by any verb (CEL-11)", async () => {
    const client = await setUp(spec);
    await client.call("POST", jars, jar({ colour: "red" }));
    const patched = await client.call("PATCH", `${jars}/tea`, { spec: { colour: "blue" } });
    const expected = 'FieldValueInvalid spec.colour Invalid value: "blue": colour cannot change';
    expect(causes(patched.body)).toEqual([expected]);
    const stored = (await client.get(`${jars}/tea`)).body;
    const put = await client.call("PUT", `${jars}/tea`, { ...stored, spec: { colour: "blue" } });
    expect(put.status).toBe(422);
    const same = await client.call("PATCH", `${jars}/tea`, { spec: { colour: "red" } });
    expect(same.status).toBe(200);
  });

  test("only lead to warnings where an object is unchanged (CEL-15)", async () => {
    const client = await setUp({ type: "object", properties: { litres: { type: "integer" } } });
    await client.call("POST", jars, jar({ litres: 9 }));
    const stored = (await client.get(`${definitions}/jars.kitchen.example`)).body;
    const ruled = definition(spec);
    const changed = { ...ruled, metadata: stored["metadata"] as Json };
    const path = `${definitions}/jars.kitchen.example`;
    expect((await client.call("PUT", path, changed)).status).toBe(200);
    const { headers, status } = await client.call("PATCH", `${jars}/tea`, {
      metadata: { labels: { a: "b" } },
    });
    expect(status).toBe(200);
    expect(headers.get("warning")).toContain("spec: Invalid value: too big");
    const worse = await client.call("PATCH", `${jars}/tea`, { spec: { litres: 10 } });
    expect(worse.status).toBe(422);
  });

  test("are checked when the status is written", async () => {
    const client = await setUp(spec);
    await client.call("POST", jars, jar({ colour: "red" }));
    const { status } = await client.call("PATCH", `${jars}/tea/status`, { status: {} });
    expect(status).toBe(200);
  });

  test("report with their reason, field and computed message", async () => {
    const rule = {
      rule: "self.min <= self.max",
      messageExpression: "'min must not exceed ' + string(self.max)",
      reason: "FieldValueForbidden",
      fieldPath: ".min",
    };
    const numbers = { min: { type: "integer" }, max: { type: "integer" } };
    const client = await setUp(withRules([rule], numbers));
    const { body } = await client.call("POST", jars, jar({ min: 3, max: 2 }));
    const expected = "FieldValueForbidden spec.min Forbidden: min must not exceed 2";
    expect(causes(body)).toEqual([expected]);
  });

  test("that run too long end with the server's error (CEL-16)", async () => {
    const rule = { rule: "self.a.all(x, self.a.all(y, true))" };
    const list = { type: "array", items: { type: "integer" } };
    const client = await setUp(withRules([rule], { a: list }));
    const { body } = await client.call(
      "POST",
      jars,
      jar({ a: Array.from({ length: 1000 }, () => 1) }),
    );
    expect(causes(body)[0]).toContain("no further validation rules will be run due to call cost");
  });

  test("of a definition given to the constructor hold as well", async () => {
    const metadata = { name: "jars.kitchen.example" };
    const server = new FakeApiServer({ objects: [{ ...definition(spec), metadata }] });
    const { status } = await new ApiClient(server).call("POST", jars, jar({ litres: 9 }));
    expect(status).toBe(422);
  });
});

describe("a definition", () => {
  test.each([
    ["self.litres > 'a'", "found no matching overload for '_>_' applied to '(int, string)'"],
    ["self.nope == 1", "undefined field 'nope'"],
    ["nope == 1", "undeclared reference to 'nope' (in container '')"],
    ["self.litres", "cel expression must evaluate to a bool"],
    ["self.litres >", "Syntax error"],
    ["'a'.matches(')')", "invalid matches argument"],
  ])("with the rule %s is refused (CEL-21)", async (rule, message) => {
    const client = new ApiClient(new FakeApiServer());
    const spec = withRules([{ rule }], { litres: { type: "integer" } });
    const { body, status } = await client.call("POST", definitions, definition(spec));
    expect(status).toBe(422);
    const [cause = ""] = causes(body);
    expect(cause).toContain(
      "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule",
    );
    expect(cause).toContain(message);
  });

  test.each([
    "self.part == null || null != self.part",
    "oldSelf != null",
    "self.?part != null",
    "format.dns1123Label().validate('a') == null",
    "quantity('1') != null && ip('::1') != null",
    "self.at == null || self.within == null",
  ])("can compare objects, times and optionals with null: %s (CEL-21)", async (rule) => {
    const spec = withRules([{ rule }], {
      part: { type: "object", properties: { a: { type: "string" } } },
      at: { type: "string", format: "date-time" },
      within: { type: "string", format: "duration" },
    });
    const client = new ApiClient(new FakeApiServer());
    const { status } = await client.call("POST", definitions, definition(spec));
    expect(status).toBe(201);
  });

  test.each(["self.name == null", "self.names == null", "self.size == null"])(
    "cannot compare strings, lists and numbers with null: %s (CEL-21)",
    async (rule) => {
      const client = new ApiClient(new FakeApiServer());
      const spec = withRules([{ rule }], {
        name: { type: "string" },
        names: { type: "array", items: { type: "string" } },
        size: { type: "integer" },
      });
      const { body } = await client.call("POST", definitions, definition(spec));
      expect(causes(body)[0]).toContain("found no matching overload for '_==_' applied to");
    },
  );

  test("cannot have rules about old values where they have no identity (CEL-23)", async () => {
    const client = new ApiClient(new FakeApiServer());
    const spec = { type: "object", properties: { list: { type: "array", items: colour } } };
    const { body } = await client.call("POST", definitions, definition(spec));
    expect(causes(body)[0]).toContain("oldSelf cannot be used on the uncorrelatable portion");
  });
});
