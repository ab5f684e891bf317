import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkConfigKey,
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkPathSegment,
  checkPortName,
  checkQualifiedName,
  checkWildcardSubdomain,
} from "../../src/validation/names.ts";
import { goJson, goNumber, goQuote } from "../../src/base/go-text.ts";

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

describe("names (API-1.11, VAL-1, VAL-2)", () => {
  test.each([
    [checkDnsSubdomain, ["a", "a.b-c", "0"], ["", "A", "-a", "a-", "a..b", "a_b", "x".repeat(254)]],
    [checkDnsLabel, ["a", "0-1"], ["", "a.b", "A", "x".repeat(64)]],
    [checkDns1035Label, ["a", "a-1"], ["", "1a", "a.b", "x".repeat(64)]],
    [checkLabelValue, ["", "a", "A_b.c-1"], ["-a", "a b", "é", "x".repeat(64)]],
    [
      checkQualifiedName,
      ["a", "a/b", "x.y/A_b"],
      ["", "/a", "a/", "a/b/c", "A/b", "-a", "x".repeat(64)],
    ],
    [checkWildcardSubdomain, ["*.a", "*.a.b"], ["a.b", "*", "*.", "*.*.a", "a.*.b"]],
    [checkConfigKey, ["a", "A_b.c-1", ".a", "a.."], ["", "a b", "a/b", ".", "..", "..a"]],
    [checkPortName, ["http", "a-1", "0a"], ["", "80", "A", "a--b", "-a", "a-", "x".repeat(16)]],
    [checkPathSegment, ["a", "A:b", "..."], [".", "..", "a/b", "a%b"]],
  ])("%o accepts %j and rejects %j", (rule, good, bad) => {
    expect(good.filter((name) => rule(name).length > 0)).toEqual([]);
    expect(bad.filter((name) => rule(name).length === 0)).toEqual([]);
  });

  test("rejects with the server's messages", () => {
    expect(checkDnsSubdomain("A")).toEqual([subdomain]);
    expect(checkDnsSubdomain("a".repeat(254))).toEqual(["must be no more than 253 characters"]);
    expect(checkLabelValue("a".repeat(64))).toEqual(["must be no more than 63 bytes"]);
    expect(checkQualifiedName("A/b")).toEqual([`prefix part ${subdomain}`]);
    expect(checkQualifiedName("/b")).toEqual(["prefix part must be non-empty"]);
    expect(checkQualifiedName("a/")[0]).toBe("name part must be non-empty");
    expect(checkPathSegment("a/b%")).toEqual(["may not contain '/'", "may not contain '%'"]);
    expect(checkPathSegment("..")).toEqual(["may not be '..'"]);
    expect(checkDnsLabel("a.b")).toEqual(["must not contain dots"]);
    expect(checkConfigKey("..a")).toEqual(["must not start with '..'"]);
  });
});

describe("Go's formats of values", () => {
  test("quotes strings", () => {
    expect(goQuote('a"b\\c\n\u0001\u00a0é😀')).toBe('"a\\"b\\\\c\\n\\x01\\u00a0é😀"');
  });

  test("prints floats with exponents of two digits", () => {
    expect(["0.1", "1e-07", "1e+21"]).toEqual([0.1, 1e-7, 1e21].map(goNumber));
  });

  test("writes maps with sorted keys and without HTML", () => {
    expect(goJson({ b: "<&>", a: [1, { d: null, c: true }] })).toBe(
      '{"a":[1,{"c":true,"d":null}],"b":"\\u003c\\u0026\\u003e"}',
    );
  });

  test("writes JSON that parses to the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(goJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
