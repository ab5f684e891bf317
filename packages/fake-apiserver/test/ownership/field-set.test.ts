import { describe, expect, test } from "vitest";
import { decodeFieldSet, decodeStoredFieldSet, FieldSet } from "../../src/ownership/field-set.ts";
import { fieldsOf } from "../../src/ownership/fields-of.ts";
import { thing, thingType } from "../support/owned-things.ts";

function setOf(spec: Record<string, unknown>): FieldSet {
  return fieldsOf(thing(spec), thingType);
}

describe("the fields of a value", () => {
  test("MF-2: items are owned with their members, atomic values as a whole", () => {
    const set = setOf({
      ports: [{ port: 80, name: "http" }],
      set: ["x"],
      atomic: ["a", "b"],
      whole: { a: "b" },
      labels: { a: "b" },
    });
    expect(set.toJson()["f:spec"]).toEqual({
      "f:atomic": {},
      "f:labels": { "f:a": {} },
      "f:ports": {
        'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} },
      },
      "f:set": { 'v:"x"': {} },
      "f:whole": {},
    });
  });

  test("SSA-13: an item is identified by its keys, and by the defaults of missing ones", () => {
    const keyed = setOf({
      ports: [{ protocol: "UDP", port: 53 }, { port: 80 }, { protocol: "UDP" }, { name: "x" }],
    });
    const { "f:ports": items } = keyed.toJson()["f:spec"] as Record<string, object>;
    expect(Object.keys(items ?? {})).toEqual([
      'k:{"port":53,"protocol":"UDP"}',
      'k:{"port":80,"protocol":"TCP"}',
      'k:{"protocol":"TCP"}',
      'k:{"protocol":"UDP"}',
    ]);
    const values = setOf({ set: ["b", "a"] });
    expect(values.toJson()["f:spec"]).toEqual({ "f:set": { 'v:"a"': {}, 'v:"b"': {} } });
  });

  test("MF-2: a null and an empty map are owned by their own paths, an empty list is not", () => {
    const set = setOf({ color: null, labels: {}, ports: [], set: [] });
    expect(set.toJson()["f:spec"]).toEqual({ "f:color": {}, "f:labels": {} });
  });

  test("MF-2: a value without a schema is owned at each level", () => {
    const set = setOf({ free: { a: { b: 1 }, list: [1] } });
    expect(set.toJson()["f:spec"]).toEqual({
      "f:free": { "f:a": { ".": {}, "f:b": {} }, "f:list": {} },
    });
  });
});

describe("a field set", () => {
  test("MF-3: parses its own output", () => {
    const set = setOf({ ports: [{ port: 80 }], set: ["a", "b"], labels: { x: "y" } });
    expect(decodeFieldSet(set.toJson())?.toJson()).toEqual(set.toJson());
  });

  test.each([
    ["an unknown kind of element", { "x:a": {} }],
    ["keys that are no object", { "k:[1]": {} }],
    ["a value that is no JSON", { "v:nope": {} }],
    ["a text in place of a set", { "f:a": "b" }],
    ["no object", []],
  ])("rejects %s", (_what, json) => {
    expect(decodeFieldSet(json)).toBeUndefined();
  });

  test.each([
    [{ ".": {}, "f:a": {}, "f:b": { "f:c": {} } }, true],
    [{ "f:b": {}, "f:a": {} }, false],
    [{ "f:a": { "f:c": {}, "f:b": {} } }, false],
    [{ "f:a": {}, ".": {} }, false],
    [{ "f:a": { ".": {} } }, false],
    [{ "f:a": {}, 'k:{"name":"a"}': {}, 'k:{"name":"b"}': {} }, true],
    [{ 'k:{"name":"b"}': {}, 'k:{"name":"a"}': {} }, false],
  ])("MF-3: detects whether JSON is in canonical order: %j", (json, isOrdered) => {
    const stored = decodeStoredFieldSet(json);
    expect(stored?.isOrdered).toBe(isOrdered);
    const written = JSON.stringify(decodeFieldSet(json)?.toJson());
    expect(written === JSON.stringify(stored?.toJson())).toBe(isOrdered);
  });

  test("MF-1: removing a path keeps the paths below it", () => {
    const both = decodeFieldSet({ "f:a": { ".": {}, "f:b": {} } }) ?? FieldSet.empty;
    const only = decodeFieldSet({ "f:a": {} }) ?? FieldSet.empty;
    expect(both.minus(only).toJson()).toEqual({ "f:a": { "f:b": {} } });
    expect(both.minusBelow(only).toJson()).toEqual({});
    expect(only.minus(both).isEmpty).toBe(true);
    expect(both.intersection(only).toJson()).toEqual({ "f:a": {} });
    expect(only.union(both).toJson()).toEqual(both.toJson());
  });

  test("MF-1: contains another set path by path", () => {
    const set = setOf({ color: "red", ports: [{ port: 80, name: "http" }] });
    expect(set.includes(setOf({ ports: [{ port: 80 }] }))).toBe(true);
    expect(set.includes(setOf({ ports: [{ port: 81 }] }))).toBe(false);
    expect(setOf({ ports: [{ port: 80 }] }).includes(set)).toBe(false);
    expect(set.union(setOf({ color: "blue" }))).toBe(set);
  });

  test("names its paths in the order of the server: fields, keys, values", () => {
    const set = setOf({
      set: ["b", "a"],
      ports: [{ port: 443 }, { port: 80, protocol: "UDP" }],
      color: "red",
    });
    const paths = set.paths().filter((path) => path.startsWith(".spec"));
    expect(paths).toEqual([
      ".spec.color",
      '.spec.ports[port=80,protocol="UDP"]',
      '.spec.ports[port=443,protocol="TCP"]',
      '.spec.ports[port=80,protocol="UDP"].port',
      '.spec.ports[port=80,protocol="UDP"].protocol',
      '.spec.ports[port=443,protocol="TCP"].port',
      '.spec.set[="a"]',
      '.spec.set[="b"]',
    ]);
  });
});
