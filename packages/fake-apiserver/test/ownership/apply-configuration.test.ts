import type { JsonObject } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { applyConfiguration } from "../../src/ownership/apply-configuration.ts";
import { reportConflicts } from "../../src/ownership/conflict-error.ts";
import { fieldSetOf } from "../../src/ownership/field-set.ts";
import { ManagedEntries } from "../../src/ownership/managed-fields.ts";
import { trackUpdate } from "../../src/ownership/changes.ts";
import { thing, writeBy } from "../support/owned-things.ts";

/** An object and its owners, written step by step. */
class Owned {
  object: JsonObject | undefined;
  entries = new ManagedEntries();

  apply(manager: string, spec: JsonObject, now?: string): string {
    const request = writeBy(manager, "Apply", now);
    const applied = applyConfiguration(this.object, thing(spec), this.entries, request);
    if (applied.conflicts.length > 0) return reportConflicts(applied.conflicts).message;
    this.object = applied.object;
    this.entries = applied.entries;
    return "";
  }

  force(manager: string, spec: JsonObject): void {
    const request = writeBy(manager, "Apply");
    const applied = applyConfiguration(this.object, thing(spec), this.entries, request);
    this.object = applied.object;
    this.entries = applied.entries;
  }

  update(manager: string, spec: JsonObject, now?: string): void {
    const after = thing(spec);
    const request = writeBy(manager, "Update", now);
    this.entries = trackUpdate(this.object, after, this.entries, request);
    this.object = after;
  }

  get spec(): unknown {
    return this.object?.["spec"];
  }

  owned(manager: string): unknown {
    const entry = this.entries.except().find((one) => one.manager === manager);
    return entry?.fields.toJson()["f:spec"];
  }
}

describe("an apply", () => {
  test("SSA-23: removes fields that its owner applied before and omits now", () => {
    const owned = new Owned();
    owned.apply("one", { color: "red", count: 1 });
    owned.apply("one", { count: 1 });
    expect(owned.spec).toEqual({ count: 1 });
    expect(owned.owned("one")).toEqual({ "f:count": {} });
  });

  test("SSA-23: keeps fields that another manager owns as well", () => {
    const owned = new Owned();
    owned.apply("one", { color: "red", count: 1 });
    owned.apply("two", { color: "red" });
    owned.apply("one", { count: 1 });
    expect(owned.spec).toEqual({ color: "red", count: 1 });
  });

  test("SSA-24: a map that loses its last member becomes null, and so does a list", () => {
    const owned = new Owned();
    owned.apply("one", { labels: { a: "1" }, color: "red" });
    owned.apply("two", { labels: {} });
    expect(owned.apply("one", { color: "red" })).toBe("");
    expect(owned.spec).toEqual({ labels: null, color: "red" });
    owned.object = thing({ set: ["a"], ports: [{ port: 80, name: "a" }] });
    owned.entries = new ManagedEntries();
    const items = fieldSetOf(["spec", "set"], ["spec", "ports"]);
    const holder = { ...writeBy("two", "Apply").owner, time: undefined, fields: items };
    owned.apply("one", { set: ["a"], ports: [{ port: 80 }] });
    owned.entries = owned.entries.with(holder).without({
      ...holder,
      manager: "before-first-apply",
      operation: "Update",
    });
    owned.apply("one", {});
    expect(owned.spec).toEqual({ set: null, ports: null });
  });

  test("SSA-40: an entry of a version that is not served is removed", () => {
    const owned = new Owned();
    owned.apply("one", { color: "red" });
    const old = { ...writeBy("old", "Update").owner, apiVersion: "example.com/v0" };
    const fields = fieldSetOf(["spec", "count"]);
    owned.entries = owned.entries.with({ ...old, time: undefined, fields });
    expect(owned.apply("two", { count: 1 })).toBe("");
    expect(owned.owned("old")).toBeUndefined();
    expect(owned.owned("two")).toEqual({ "f:count": {} });
  });

  test("SSA-25: is rejected for fields that others own with another value", () => {
    const owned = new Owned();
    owned.apply("one", { color: "red", count: 1 });
    owned.update("hand", { color: "red", count: 1, on: true });
    const refused = owned.apply("two", { color: "blue", count: 2, on: false });
    expect(refused).toBe(
      "Apply failed with 3 conflicts: " +
        'conflicts with "hand" using example.com/v1:\n- .spec.on\n' +
        'conflicts with "one":\n- .spec.color\n- .spec.count',
    );
    expect(owned.spec).toEqual({ color: "red", count: 1, on: true });
  });

  test("SSA-30: names a single conflict in one line", () => {
    const owned = new Owned();
    owned.apply("one", { ports: [{ port: 80, name: "a" }] });
    expect(owned.apply("two", { ports: [{ port: 80, name: "b" }] })).toBe(
      'Apply failed with 1 conflict: conflict with "one": ' +
        '.spec.ports[port=80,protocol="TCP"].name',
    );
  });

  test("SSA-25: takes over the fields with force", () => {
    const owned = new Owned();
    owned.apply("one", { color: "red", count: 1 });
    owned.force("two", { color: "blue" });
    expect(owned.spec).toEqual({ color: "blue", count: 1 });
    expect(owned.owned("one")).toEqual({ "f:count": {} });
    expect(owned.owned("two")).toEqual({ "f:color": {} });
  });

  test("SSA-21: lists keep the position of items that only the live object has", () => {
    const owned = new Owned();
    owned.apply("one", { set: ["a", "b", "c"] });
    owned.apply("two", { set: ["x", "b"] });
    expect(owned.spec).toEqual({ set: ["a", "x", "b", "c"] });
    owned.apply("two", { set: ["c", "a"] });
    expect(owned.spec).toEqual({ set: ["b", "c", "a"] });
    owned.apply("three", { set: ["y", "c", "b", "z"] });
    expect(owned.spec).toEqual({ set: ["y", "c", "a", "b", "z"] });
  });

  test("SSA-21: unchanged parts are shared with the live object", () => {
    const owned = new Owned();
    owned.apply("one", { ports: [{ port: 80, name: "a" }], labels: { a: "1" }, color: "red" });
    const before = owned.spec as JsonObject;
    owned.apply("one", { ports: [{ port: 80, name: "a" }], labels: { a: "2" }, color: "red" });
    const after = owned.spec as JsonObject;
    expect(after["ports"]).toBe(before["ports"]);
    expect(after["labels"]).toEqual({ a: "2" });
    expect(before["labels"]).toEqual({ a: "1" });
  });

  test("SSA-20: existing fields belong to before-first-apply", () => {
    const owned = new Owned();
    owned.object = thing({ color: "red", labels: { a: "b" } });
    expect(owned.apply("one", { color: "blue" })).toContain('conflict with "before-first-apply"');
    owned.force("one", { color: "blue" });
    expect(owned.owned("before-first-apply")).toEqual({
      ".": {},
      "f:labels": { ".": {}, "f:a": {} },
    });
  });

  test("SSA-26: an apply without a change has no time, and keeps an existing one", () => {
    const owned = new Owned();
    owned.apply("one", { color: "red" }, "2026-01-01T00:00:01Z");
    owned.apply("one", { color: "red" }, "2026-01-01T00:00:02Z");
    owned.apply("two", { color: "red" }, "2026-01-01T00:00:03Z");
    const times = owned.entries.toJson().map(({ manager, time }) => [manager, time]);
    expect(times).toEqual([
      ["two", undefined],
      ["one", "2026-01-01T00:00:01Z"],
    ]);
  });
});

describe("an update", () => {
  test("MF-22: the writer owns changed fields, others lose changed and removed ones", () => {
    const owned = new Owned();
    owned.apply("one", { color: "red", count: 1, set: ["a"] });
    owned.update("hand", { color: "blue", set: ["a", "b"] });
    expect(owned.owned("one")).toEqual({ "f:set": { 'v:"a"': {} } });
    expect(owned.owned("hand")).toEqual({ "f:color": {}, "f:set": { 'v:"b"': {} } });
  });

  test("MF-22: without a change no entry is added", () => {
    const owned = new Owned();
    owned.apply("one", { color: "red" });
    owned.update("hand", { color: "red" });
    expect(owned.owned("hand")).toBeUndefined();
  });

  test("MF-24: the oldest of more than ten managers are merged", () => {
    const owned = new Owned();
    owned.apply("applier", { color: "red" });
    for (let index = 0; index < 12; index++) {
      const labels = Object.fromEntries(
        Array.from({ length: index + 1 }, (_none, at) => [`l${at}`, "x"]),
      );
      const time = `2026-01-01T00:00:${String(index).padStart(2, "0")}Z`;
      owned.update(`m${index}`, { color: "red", labels }, time);
    }
    const managers = new Set(owned.entries.toJson().map(({ manager }) => manager));
    const kept = Array.from({ length: 9 }, (_none, at) => `m${at + 3}`);
    expect(managers).toEqual(new Set(["ancient-changes", "applier", ...kept]));
    expect(owned.owned("ancient-changes")).toEqual({
      "f:labels": { ".": {}, "f:l0": {}, "f:l1": {}, "f:l2": {} },
    });
  });
});

describe("members named like inherited properties", () => {
  const inherited = (value: unknown): JsonObject =>
    JSON.parse(`{"__proto__": ${JSON.stringify(value)}, "constructor": "c", "kept": "k"}`);

  test("MF-2: are owned like other members", () => {
    const owned = new Owned();
    owned.apply("one", { free: inherited({ deep: "1" }), labels: inherited("l") });
    expect(JSON.stringify(owned.spec)).toBe(
      '{"free":{"__proto__":{"deep":"1"},"constructor":"c","kept":"k"},' +
        '"labels":{"__proto__":"l","constructor":"c","kept":"k"}}',
    );
    expect(JSON.stringify(owned.owned("one"))).toContain('"f:__proto__":{".":{},"f:deep":{}}');
  });

  test("SSA-21: are merged, and none is inherited by an object that lacks them", () => {
    const owned = new Owned();
    owned.apply("one", { labels: { kept: "k" } });
    owned.apply("two", { labels: inherited("l") });
    owned.apply("three", { labels: { other: "o" } });
    expect(JSON.stringify(owned.spec)).toBe(
      '{"labels":{"kept":"k","__proto__":"l","constructor":"c","other":"o"}}',
    );
  });

  test("SSA-23: are removed when their owner gives them up", () => {
    const owned = new Owned();
    owned.apply("one", { labels: inherited("l"), free: inherited({ a: "1", b: "2" }) });
    owned.apply("one", { labels: { kept: "k" }, free: inherited({ a: "1" }) });
    expect(JSON.stringify(owned.spec)).toBe(
      '{"labels":{"kept":"k"},"free":{"__proto__":{"a":"1"},"constructor":"c","kept":"k"}}',
    );
  });

  test("MF-22: belong to the manager that changes them", () => {
    const owned = new Owned();
    owned.apply("one", { labels: inherited("l") });
    owned.update("hand", { labels: inherited("m") });
    expect(JSON.stringify(owned.owned("hand"))).toBe('{"f:labels":{"f:__proto__":{}}}');
    owned.update("hand", { labels: { kept: "k" } });
    expect(JSON.stringify(owned.owned("one"))).toBe('{"f:labels":{"f:kept":{}}}');
  });
});
