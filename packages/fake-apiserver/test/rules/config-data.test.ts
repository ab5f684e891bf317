import { describe, expect, test } from "vitest";
import { configMapRules, secretRules } from "../../src/rules/config-data.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a", namespace: "default" };
const configMap = (fields: object) =>
  describeErrors(configMapRules.create({ metadata, ...fields }));
const secret = (fields: object) => describeErrors(secretRules.create({ metadata, ...fields }));

describe("config maps (VAL-13)", () => {
  test("require unique keys that are valid file names", () => {
    expect(configMap({ data: { "a.b": "", _c: "x" }, binaryData: { d: "" } })).toEqual([]);
    expect(configMap({ data: { "a b": "x" } })).toEqual([
      "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    ]);
    expect(configMap({ data: { k: "x" }, binaryData: { k: "eA==" } })).toEqual([
      'data[k]: Invalid value: "k": duplicate of key present in binaryData',
    ]);
  });

  test("hold a mebibyte at most, in any encoding", () => {
    const mebibyte = "x".repeat(1024 * 1024);
    expect(configMap({ data: { a: mebibyte } })).toEqual([]);
    const tooLong = ["[]: Too long: may not be more than 1048576 bytes"];
    expect(configMap({ data: { a: mebibyte, b: "x" } })).toEqual(tooLong);
    expect(configMap({ data: { a: mebibyte }, binaryData: { b: btoa("x") } })).toEqual(tooLong);
    expect(configMap({ data: { a: "é".repeat(512 * 1024) + "x" } })).toEqual(tooLong);
  });

  test("cannot change when they are immutable, except their metadata", () => {
    const stored = { metadata, data: { a: "1" }, immutable: true };
    const update = (object: object) =>
      describeErrors(configMapRules.update({ metadata, ...object }, stored));
    expect(
      update({ metadata: { name: "a", labels: { b: "c" } }, data: { a: "1" }, immutable: true }),
    ).toEqual([]);
    expect(update({ data: { a: "2" } })).toEqual([
      "immutable: Forbidden: field is immutable when `immutable` is set",
      "data: Forbidden: field is immutable when `immutable` is set",
    ]);
  });
});

describe("secrets (VAL-4, VAL-13)", () => {
  test.each([
    ["kubernetes.io/tls", {}, ["data[tls.crt]: Required value", "data[tls.key]: Required value"]],
    ["kubernetes.io/tls", { "tls.crt": "", "tls.key": "" }, []],
    [
      "kubernetes.io/basic-auth",
      {},
      ["data[username]: Required value", "data[password]: Required value"],
    ],
    ["kubernetes.io/basic-auth", { username: "eA==" }, []],
    ["kubernetes.io/ssh-auth", { "ssh-privatekey": "" }, ["data[ssh-privatekey]: Required value"]],
    ["kubernetes.io/dockercfg", {}, ["data[.dockercfg]: Required value"]],
    [
      "kubernetes.io/service-account-token",
      {},
      ["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
    ],
    ["Opaque", {}, []],
  ])("of type %s with %j: %j", (type, data, expected) => {
    expect(secret({ type, data })).toEqual(expected);
  });

  test.each([
    ["{}", undefined],
    ["x", "invalid character 'x' looking for beginning of value"],
    ["", "unexpected end of JSON input"],
    ["[]", "json: cannot unmarshal array into Go value of type map[string]interface {}"],
    ["5", "json: cannot unmarshal number into Go value of type map[string]interface {}"],
  ])("with %j as registry credentials: %j", (json, problem) => {
    const data = { ".dockerconfigjson": btoa(json) };
    expect(secret({ type: "kubernetes.io/dockerconfigjson", data })).toEqual(
      problem === undefined
        ? []
        : [`data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": ${problem}`],
    );
  });

  test("have an immutable type", () => {
    const stored = { metadata, type: "Opaque" };
    expect(describeErrors(secretRules.update({ metadata, type: "other" }, stored))).toEqual([
      'type: Invalid value: "other": field is immutable',
    ]);
  });
});
