import { describe, expect, test } from "vitest";
import { decodeFieldSet, FieldSet } from "../../src/ownership/field-set.ts";
import { ManagedEntries, type ManagedEntry } from "../../src/ownership/managed-fields.ts";

const fields = decodeFieldSet({ "f:spec": {} }) ?? FieldSet.empty;

function entry(traits: Partial<ManagedEntry> = {}): ManagedEntry {
  return {
    manager: "m",
    operation: "Update",
    apiVersion: "v1",
    subresource: "",
    time: "2026-01-01T00:00:00Z",
    fields,
    ...traits,
  };
}

describe("an entry", () => {
  test.each([
    ["another manager", { manager: "n" }],
    ["another operation", { operation: "Apply" }],
    ["a subresource", { subresource: "status" }],
    ["an update of another version", { apiVersion: "v2" }],
  ] as const)("MF-4: differs for %s", (_what, traits) => {
    const both = new ManagedEntries([entry()]).with(entry(traits));
    expect(both.size).toBe(2);
    expect(both.get(entry(traits))).toEqual(entry(traits));
  });

  test("MF-4: of an update is the same at another time", () => {
    const later = entry({ time: "2026-01-01T00:00:01Z" });
    expect(new ManagedEntries([entry()]).with(later).except()).toEqual([later]);
  });

  test("MF-4: of an apply is the same in any version", () => {
    const applied = entry({ operation: "Apply" });
    const other = entry({ operation: "Apply", apiVersion: "v2" });
    expect(new ManagedEntries([applied]).with(other).except()).toEqual([other]);
  });

  test("MF-4: is written with a subresource and a time only if it has them", () => {
    const status = entry({ subresource: "status", time: undefined });
    expect(new ManagedEntries([status]).toJson()).toEqual([
      {
        manager: "m",
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": {} },
        subresource: "status",
      },
    ]);
    expect(Object.keys(new ManagedEntries([entry()]).toJson()[0] ?? {})).toEqual([
      "manager",
      "operation",
      "apiVersion",
      "time",
      "fieldsType",
      "fieldsV1",
    ]);
  });
});

test("MF-5: entries are in the order of operation, time, manager, version and subresource", () => {
  const ordered = [
    entry({ operation: "Apply", time: undefined, manager: "z" }),
    entry({ operation: "Apply", time: "2026-01-01T00:00:09Z" }),
    entry({ time: undefined, manager: "z" }),
    entry({ manager: "a", apiVersion: "v2", subresource: "status" }),
    entry({ manager: "b", apiVersion: "v1", subresource: "status" }),
    entry({ manager: "b", apiVersion: "v2" }),
    entry({ manager: "b", apiVersion: "v2", subresource: "status" }),
    entry({ time: "2026-01-01T00:00:01Z", manager: "a" }),
  ];
  const written = new ManagedEntries(ordered.toReversed()).toJson();
  const identities = ({
    manager,
    operation,
    apiVersion,
    time,
    subresource = "",
  }: any): unknown => ({
    ...{ manager, operation, apiVersion, time, subresource },
  });
  expect(written.map(identities)).toEqual(ordered.map(identities));
});
