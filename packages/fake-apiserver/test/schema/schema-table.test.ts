import { describe, expect, test } from "vitest";
import {
  loadedSchemaTable,
  loadSchemaTable,
  type StructType,
} from "../../src/schema/schema-table.ts";
import { builtinKinds } from "../../src/kinds/builtin-kinds.ts";

async function struct(apiVersion: string, kind: string): Promise<StructType> {
  const type = (await loadSchemaTable()).typeOf(apiVersion, kind);
  if (type === undefined) throw new Error(`Expected a type of ${kind}`);
  return type;
}

describe("the table of built-in types", () => {
  test("has the 618 types of the recorded server (SCH-3)", async () => {
    expect((await loadSchemaTable()).size).toBe(618);
    expect(loadedSchemaTable()).toBe(await loadSchemaTable());
  });

  test("has a type for every kind that the server serves", async () => {
    for (const { definition } of builtinKinds) {
      const [version] = definition.versions;
      const group = definition.group === "" ? "" : `${definition.group}/`;
      const type = await struct(`${group}${version?.name}`, definition.kind);
      expect(type.fields.has("metadata")).toBe(true);
    }
  });

  test("defines how lists are merged and owned (SCH-4)", async () => {
    const pod = await struct("v1", "Pod");
    const spec = pod.fields.get("spec")?.type as StructType;
    expect(spec.name).toBe("io.k8s.api.core.v1.PodSpec");
    const containers = spec.fields.get("containers");
    expect(containers).toMatchObject({
      listType: "map",
      listKeys: ["name"],
      patchStrategies: ["merge"],
      mergeKey: "name",
      required: true,
      written: true,
    });
    expect(spec.fields.get("nodeSelector")?.atomicMap).toBe(true);
    expect(spec.fields.get("hostNetwork")?.omitsZero).toBe(true);
    // A pointer in Go, so false is kept.
    expect(spec.fields.get("enableServiceLinks")?.omitsZero).toBe(false);
  });
});
