import { describe, expect, test } from "vitest";
import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import { groupResource, ResourceRegistry } from "../../src/api/registry.ts";

describe("ResourceRegistry", () => {
  const [first, second] = builtinResources();
  if (first === undefined || second === undefined) throw new Error("Expected built-in resources");

  test("finds a resource by group, version and plural", () => {
    const registry = new ResourceRegistry([first]);
    const [served] = first.versions;
    expect(registry.find(first.group, served?.name ?? "", first.plural)).toEqual({
      definition: first,
      served,
    });
    expect(registry.find(first.group, "v9", first.plural)).toBeUndefined();
    expect(registry.get("other", first.plural)).toBeUndefined();
  });

  test("replaces a definition with all its versions, and counts its changes", () => {
    const registry = new ResourceRegistry([first, second]);
    const before = registry.version;
    const [served] = first.versions;
    if (served === undefined) throw new Error("Expected a version");
    registry.set({ ...first, versions: [{ ...served, name: "v2" }] });
    expect(registry.version).toBeGreaterThan(before);
    expect(registry.find(first.group, served.name, first.plural)).toBeUndefined();
    expect(registry.find(first.group, "v2", first.plural)?.served.name).toBe("v2");
    registry.delete(first);
    expect(registry.definitions()).toEqual([second]);
  });

  test("names resources as in storage and messages", () => {
    expect(groupResource({ group: "", plural: "pods" })).toBe("pods");
    expect(groupResource({ group: "example.com", plural: "widgets" })).toBe("widgets.example.com");
  });
});
