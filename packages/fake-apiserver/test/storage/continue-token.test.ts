import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../src/api/api-error.ts";
import {
  decodeContinueToken,
  encodeContinueToken,
  keyAfter,
} from "../../src/storage/continue-token.ts";

function refusal(text: string): string {
  try {
    decodeContinueToken(text, "");
  } catch (error) {
    if (error instanceof ApiError && error.code === 400) return error.message;
    throw error;
  }
  return "accepted";
}

function base64(text: string): string {
  return btoa(text).replaceAll("=", "");
}

function wrongType(given: string, member: string, type: string): string {
  return `json: cannot unmarshal ${given} into Go struct field continueToken.${member} of type ${type}`;
}

describe("a continue token", () => {
  test("is base64url of a real server's JSON, relative to the root of the list", () => {
    const token = { revision: 17, startKey: keyAfter("team/b") };
    const text = encodeContinueToken(token, "team/");
    expect(atob(text)).toBe(String.raw`{"v":"meta.k8s.io/v1","rv":17,"start":"/b\u0000"}`);
    expect(decodeContinueToken(text, "team/")).toEqual(token);
  });

  test("survives the round trip for any key", () => {
    const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,20}[a-z0-9])?$/);
    fc.assert(
      fc.property(name, name, fc.integer({ min: 1 }), (namespace, key, revision) => {
        const token = { revision, startKey: keyAfter(`${namespace}/${key}`) };
        const text = encodeContinueToken(token, "");
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeContinueToken(text, "")).toEqual(token);
      }),
    );
  });

  test.each([
    ["garbage", String.raw`invalid character '\u0081' looking for beginning of value`],
    [base64("not-json"), "invalid character 'o' in literal null (expecting 'u')"],
    ["a b", "illegal base64 data at input byte 1"],
    ["abcde", "illegal base64 data at input byte 4"],
    [base64("{}"), "server does not recognize this encoded version "],
    [base64("null"), "server does not recognize this encoded version "],
    [base64('{"v":"v2"}'), "server does not recognize this encoded version v2"],
    [base64("[]"), "json: cannot unmarshal array into Go value of type storage.continueToken"],
    [base64('{"v":5}'), wrongType("number", "v", "string")],
    [base64('{"rv":true}'), wrongType("bool", "rv", "int64")],
    [base64('{"rv":1.5}'), wrongType("number 1.5", "rv", "int64")],
    [base64('{"start":{}}'), wrongType("object", "start", "string")],
    [
      base64('{"v":"meta.k8s.io/v1","rv":0,"start":"/a"}'),
      "incorrect encoded start resourceVersion (version meta.k8s.io/v1)",
    ],
    [
      base64('{"v":"meta.k8s.io/v1","rv":3,"start":""}'),
      "encoded start key empty (version meta.k8s.io/v1)",
    ],
    [base64('{"v":"meta.k8s.io/v1","rv":3,"start":"/../x"}'), "/../x"],
    [base64('{"v":"meta.k8s.io/v1","rv":3,"start":"/a//b"}'), "/a//b"],
  ])("%j is rejected with the server's message (API-1.8)", (text, why) => {
    expect(refusal(text)).toBe(`invalid continue token: continue key is not valid: ${why}`);
  });
});
