import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ApiObject } from "../../src/api/api-object.ts";
import type { ServedVersion } from "../../src/api/resource-definition.ts";
import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import { customResourceColumns, type AdditionalPrinterColumn } from "../../src/kinds/columns.ts";
import { ageOf, humanDuration } from "../../src/kinds/duration.ts";
import { compileJsonPath } from "../../src/output/json-path.ts";
import {
  partialObjectMetadata,
  partialObjectMetadataList,
} from "../../src/output/partial-metadata.ts";
import { describeColumns, parseIncludeObject, TableWriter } from "../../src/output/table.ts";

const now = Date.parse("2024-01-01T00:05:27Z");
const created = "2024-01-01T00:00:00Z";

function served(additional: readonly AdditionalPrinterColumn[]): ServedVersion {
  const columns = customResourceColumns(additional);
  return { name: "v1", deprecated: false, columns, selectableFields: [], status: false };
}

function widget(spec: object): ApiObject {
  return { metadata: { name: "a", resourceVersion: "7", creationTimestamp: created }, spec };
}

describe("human durations (API-1.6)", () => {
  test.each([
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [327, "5m27s"],
    [600, "10m"],
    [10_799, "179m"],
    [10_800, "3h"],
    [11_100, "3h5m"],
    [28_800, "8h"],
    [172_799, "47h"],
    [172_800, "2d"],
    [273_600, "3d4h"],
    [691_200, "8d"],
    [63_071_999, "729d"],
    [63_072_000, "2y"],
    [94_694_400, "3y1d"],
    [252_288_000, "8y"],
    [-1, "0s"],
    [-2, "<invalid>"],
  ])("%i s is %s", (seconds, text) => {
    expect(humanDuration(seconds * 1000)).toBe(text);
  });

  test("never gets shorter units as time passes", () => {
    const order = ["s", "m", "h", "d", "y"];
    const unit = (seconds: number): number =>
      order.indexOf(/[smhdy]/.exec(humanDuration(seconds * 1000))?.[0] ?? "");
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(1e8), (seconds, more) => {
        expect(unit(seconds + more)).toBeGreaterThanOrEqual(unit(seconds));
      }),
    );
  });

  test("marks missing and invalid times", () => {
    expect(ageOf(undefined, now)).toBe("<unknown>");
    expect(ageOf("soon", now)).toBe("<invalid>");
    expect(ageOf(created, now)).toBe("5m27s");
  });
});

test("a path that finds the same values repeatedly terminates", () => {
  let object: object = { a: Array.from({ length: 1000 }, (_, index) => ({ index })) };
  for (let depth = 0; depth < 5000; depth++) object = { a: object };
  expect(compileJsonPath(".spec..a..a..a..a..a")?.({ spec: object })).toHaveLength(1000);
  expect(compileJsonPath(".spec..a..none")?.({ spec: object })).toEqual([]);
});

describe("compileJsonPath", () => {
  const object = {
    spec: { size: 1, "a.b": 2, list: [{ n: "x", v: 1 }, { n: "y", v: 2 }, { v: 3 }] },
    status: {
      conditions: [
        { type: "Ready", status: "True" },
        { type: "Other", status: "False" },
      ],
    },
  };

  test.each([
    [".spec.size", [1]],
    [".spec.a\\.b", [2]],
    [".spec['a.b']", [2]],
    ['.spec["size"]', [1]],
    [".spec.none", []],
    [".spec.list[0].n", ["x"]],
    [".spec.list[-1].v", [3]],
    [".spec.list[9].v", []],
    [".spec.list[*].v", [1, 2, 3]],
    [".spec.list[1:].v", [2, 3]],
    [".spec.list[:1].v", [1]],
    ["..type", ["Ready", "Other"]],
    ['.status.conditions[?(@.type=="Ready")].status', ["True"]],
    [".status.conditions[?(@.type!='Ready')].status", ["False"]],
    [".spec.list[?(@.v>=2)].v", [2, 3]],
    [".spec.list[?(@.v<2)].v", [1]],
    [".spec.list[?(@.n)].v", [1, 2]],
    [".", [object]],
  ])("finds with %s: %j", (path, values) => {
    expect(compileJsonPath(path)?.(object)).toEqual(values);
  });

  test.each([["spec"], [".spec["], [".a[?(b)]"], [".a b"]])("does not accept %j", (path) => {
    expect(compileJsonPath(path)).toBeUndefined();
  });
});

describe("tables (API-1.6)", () => {
  const columns: readonly AdditionalPrinterColumn[] = [
    { name: "Size", type: "integer", jsonPath: ".spec.size", description: "how big" },
    { name: "Colour", type: "string", jsonPath: ".spec.color", priority: 1 },
    { name: "Flag", type: "boolean", jsonPath: ".spec.flag" },
    { name: "Ratio", type: "number", jsonPath: ".spec.ratio" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ];

  test("describes the columns, the name first", () => {
    const { columnDefinitions } = new TableWriter(served(columns), "v1", "None", {}).single(
      widget({}),
      now,
    ) as {
      readonly columnDefinitions: readonly object[];
    };
    expect(columnDefinitions).toHaveLength(6);
    expect(columnDefinitions.slice(0, 3)).toMatchObject([
      { name: "Name", type: "string", format: "name", priority: 0 },
      { name: "Size", type: "integer", format: "", description: "how big", priority: 0 },
      {
        name: "Colour",
        description: "Custom resource definition column (in JSONPath format): .spec.color",
        priority: 1,
      },
    ]);
  });

  test("describes the columns of each built-in resource as a server does", async () => {
    const texts = await Promise.all(
      builtinResources().map(async ({ group, plural, versions }) => {
        const descriptions = await describeColumns({ group, plural });
        const names = versions[0]?.columns.map(({ name }) => name) ?? [];
        return names.map((name) => `${plural} ${name}: ${descriptions[name] ?? "none"}`);
      }),
    );
    expect(texts.flat().filter((text) => text.endsWith(": none"))).toEqual([]);
    expect(texts.flat()).toContain("nodes Status: The status of the node");
  });

  test("has the age if a resource defines no columns", () => {
    const table = new TableWriter(served([]), "v1", "None", {}).single(widget({}), now);
    expect(table).toMatchObject({ rows: [{ cells: ["a", "5m27s"], object: null }] });
  });

  test.each([
    [{ size: 1, color: "red", flag: true, ratio: 0.5 }, [1, "red", true, 0.5]],
    [{}, [null, null, null, null]],
    [{ size: 1.9, color: { a: 1 }, flag: "yes", ratio: "x" }, [1, '{"a":1}', null, null]],
    [{ color: { z: 1, a: "<" } }, [null, String.raw`{"a":"\u003c","z":1}`, null, null]],
    [{ size: null, color: null, flag: null, ratio: null }, [null, "<no value>", null, null]],
    [{ color: 5 }, [null, "5", null, null]],
  ])("shows %j as %j", (spec, cells) => {
    const table = new TableWriter(served(columns), "v1", "None", {}).single(widget(spec), now);
    expect(table).toMatchObject({ rows: [{ cells: ["a", ...cells, "5m27s"] }] });
  });

  test("includes the requested objects in rows", () => {
    const row = (include: "None" | "Metadata" | "Object"): unknown =>
      new TableWriter(served([]), "v1beta1", include, {}).list(
        [widget({ a: 1 })],
        { resourceVersion: "9" },
        now,
      )["rows"];
    expect(row("None")).toMatchObject([{ object: null }]);
    expect(row("Object")).toMatchObject([{ object: widget({ a: 1 }) }]);
    expect(row("Metadata")).toEqual([
      {
        cells: ["a", "5m27s"],
        object: {
          kind: "PartialObjectMetadata",
          apiVersion: "meta.k8s.io/v1beta1",
          metadata: { name: "a", resourceVersion: "7", creationTimestamp: created },
        },
      },
    ]);
  });

  test("has the metadata of a list, but only the version of a single object", () => {
    const writer = new TableWriter(served([]), "v1", "None", {});
    const list = { resourceVersion: "9", continue: "token", remainingItemCount: 2 };
    expect(writer.list([], list, now)).toMatchObject({ kind: "Table", metadata: list, rows: [] });
    expect(writer.list([], { resourceVersion: "9", continue: "" }, now)["metadata"]).toEqual({
      resourceVersion: "9",
    });
    expect(writer.single(widget({}), now)["metadata"]).toEqual({ resourceVersion: "7" });
  });

  test("omits the columns after the first event of a watch, and has no cells for a bookmark", () => {
    const bookmark: ApiObject = { metadata: { resourceVersion: "8" } };
    expect(new TableWriter(served(columns), "v1", "None", {}).following(bookmark, now)).toEqual({
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      metadata: { resourceVersion: "8" },
      columnDefinitions: null,
      rows: [{ cells: ["", null, null, null, null, null], object: null }],
    });
  });

  test("reports the end of the initial events to clients that request no objects (API-1.6)", () => {
    const annotations = { "k8s.io/initial-events-end": "true" };
    const bookmark = { metadata: { resourceVersion: "9", annotations } };
    const writer = new TableWriter(served([]), "v1", "None", {});
    expect(writer.following(bookmark, now)["rows"]).toMatchObject([
      { object: { kind: "PartialObjectMetadata", metadata: { annotations } } },
    ]);
  });

  test("rejects another includeObject with the server's message", () => {
    expect(parseIncludeObject(null)).toBe("Metadata");
    expect(parseIncludeObject("")).toBe("Metadata");
    expect(parseIncludeObject("Object")).toBe("Object");
    expect(() => parseIncludeObject("Bogus")).toThrow(
      "Unable to convert to Table as requested: includeObject: Invalid value: \"Bogus\": must be 'Metadata', 'Object', 'None', or empty",
    );
  });
});

describe("partial metadata (API-1.6)", () => {
  test("keeps only the metadata, in the order of the server", () => {
    const object: ApiObject = {
      kind: "Widget",
      metadata: { labels: { a: "b" }, uid: "u", name: "a", deletionTimestamp: created },
      spec: {},
    };
    const partial = partialObjectMetadata(object, "v1");
    expect(JSON.stringify(partial)).toBe(
      `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","uid":"u","deletionTimestamp":"${created}","labels":{"a":"b"}}}`,
    );
    expect(
      partialObjectMetadataList([object], { resourceVersion: "3", continue: "" }, "v1"),
    ).toEqual({
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      metadata: { resourceVersion: "3" },
      items: [partial],
    });
  });
});
