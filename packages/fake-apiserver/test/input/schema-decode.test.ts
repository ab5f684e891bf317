import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeJson } from "../../src/input/decode.ts";
import { MalformedBodyError } from "../../src/input/errors.ts";
import { decodeYaml } from "../../src/input/decode-yaml.ts";
import { describeJsonError } from "../../src/input/json-scanner.ts";

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof MalformedBodyError) return error.message;
    throw error;
  }
  throw new Error("Nothing was refused");
}

describe("decodeJson", () => {
  test.each([
    ["", "unexpected end of JSON input"],
    ["{not", "invalid character 'n' looking for beginning of object key string"],
    ["[1,]", "invalid character ']' looking for beginning of value"],
    ["nul1", "invalid character '1' in literal null (expecting 'l')"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ["[1 2]", "invalid character '2' after array element"],
    ["{} x", "invalid character 'x' after top-level value"],
    ["-x", "invalid character 'x' in numeric literal"],
    ["1.x", "invalid character 'x' after decimal point in numeric literal"],
    ["1ex", "invalid character 'x' in exponent of numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12x"', "invalid character 'x' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ["'", "invalid character '\\'' looking for beginning of value"],
  ])("reports the error in %j like Go", (text, message) => {
    expect(refusal(() => decodeJson(text))).toBe(message);
  });

  test("rejects a string that is nested too deeply (Bad input)", () => {
    expect(refusal(() => decodeJson("[".repeat(200_000)))).toBe("exceeded max depth");
  });

  test("reports each duplicate key once, by its path; the last value wins (API-1.18)", () => {
    const text = '{"spec":{"a":1,"a":2,"a":3},"items":[{"b":1},{"c":1,"c":2}]}';
    expect(decodeJson(text)).toEqual({
      value: { spec: { a: 3 }, items: [{ b: 1 }, { c: 2 }] },
      strictErrors: ['duplicate field "spec.a"', 'duplicate field "items[1].c"'],
    });
  });

  test("finds duplicates that are equal only after unescaping", () => {
    expect(decodeJson('{"a":1,"\\u0061":2}').strictErrors).toEqual(['duplicate field "a"']);
  });

  test("decodes like JSON.parse and accepts the output of JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(decodeJson(text)).toEqual({ value: JSON.parse(text) as unknown, strictErrors: [] });
      }),
    );
  });

  test("rejects exactly what JSON.parse rejects", () => {
    const text = fc.string({ unit: fc.constantFrom(...'{}[]",:tru 01-.eE\\'.split("")) });
    fc.assert(
      fc.property(text, (json) => {
        let isJson = true;
        try {
          JSON.parse(json);
        } catch {
          isJson = false;
        }
        const error = describeJsonError(new TextEncoder().encode(json));
        expect(error === undefined).toBe(isJson);
      }),
    );
  });

  test("describes bytes one by one, like the server for broken tokens (API-1.8)", () => {
    expect(describeJsonError(Uint8Array.of(0x81, 0xaa))).toBe(
      "invalid character '\\u0081' looking for beginning of value",
    );
    expect(describeJsonError(new TextEncoder().encode("not-json"))).toBe(
      "invalid character 'o' in literal null (expecting 'u')",
    );
  });
});

describe("decodeYaml", () => {
  test("reads YAML 1.1 like Kubernetes", () => {
    const text =
      "a: yes\nb: 0777\nc: 2020-01-01T00:00:00Z\nd: 1:30\n1: x\ne: !!binary aGk=\nf: ~\n";
    expect(decodeYaml(text).value).toEqual({
      a: true,
      b: 511,
      c: "2020-01-01T00:00:00Z",
      d: "1:30",
      1: "x",
      e: "hi",
      f: null,
    });
  });

  test("resolves anchors and merge keys", () => {
    expect(decodeYaml("a: &x {k: 1}\nb:\n  <<: *x\n  z: 2\n").value).toEqual({
      a: { k: 1 },
      b: { k: 1, z: 2 },
    });
  });

  test("takes << for a key that merges only without quotes, and then refuses a number", () => {
    expect(decodeYaml('"<<": 0\n').value).toEqual({ "<<": 0 });
    expect(() => decodeYaml("<<: 0\n")).toThrow(
      "yaml: map merge requires map or sequence of maps as the value",
    );
  });

  test("reads the first of several documents, and JSON as well", () => {
    expect(decodeYaml("a: 1\n---\nb: 2\n").value).toEqual({ a: 1 });
    expect(decodeYaml('{"a": [1, null]}').value).toEqual({ a: [1, null] });
    expect(decodeYaml("").value).toBeNull();
  });

  test("reports duplicate keys with their line", () => {
    expect(decodeYaml("spec:\n  color: red\n  color: green\n")).toEqual({
      value: { spec: { color: "green" } },
      strictErrors: ['yaml: unmarshal errors:\n  line 3: key "color" already set in map'],
    });
  });

  test("reports several duplicates as one error, like the server", () => {
    expect(decodeYaml("a: 1\na: 2\nb: {c: 1, c: 2}\n").strictErrors).toEqual([
      'yaml: unmarshal errors:\n  line 2: key "a" already set in map\n  line 3: key "c" already set in map',
    ]);
  });

  test.each([["a: ["], ["a: b: c"], ["*unknown"], ["\tx: 1"]])("rejects %j", (text) => {
    expect(refusal(() => decodeYaml(text))).toMatch(/^yaml: /);
  });

  test("does not expand a bomb of aliases", () => {
    const levels = Array.from(
      { length: 30 },
      (_, i) => `l${i + 1}: &l${i + 1} [*l${i},*l${i},*l${i}]`,
    );
    expect(refusal(() => decodeYaml(["l0: &l0 [x]", ...levels].join("\n")))).toMatch(/^yaml: /);
  });
});
