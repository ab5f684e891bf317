import { readFileSync } from "node:fs";
import { createClient, createConnection, type Resource } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>;
};
const paths = Object.keys(manifest.exports)
  .filter((path) => /\/v\d\w*$/.test(path))
  .map((path) => path.slice(2));

async function handlesOf(path: string): Promise<Readonly<Record<string, Resource>>> {
  const file = new URL(`../src/${path}.generated.ts`, import.meta.url);
  const module: unknown = await import(/* @vite-ignore */ file.href);
  return module as Readonly<Record<string, Resource>>;
}

/** Describes each resource in one line. */
function describeAll(resources: readonly Resource[]): string[] {
  return resources
    .map(({ group, kind, resource, scope, shortNames = [], subresources = [], version }) => {
      const lists = [shortNames, subresources.toSorted()].map((list) => list.join(" "));
      return [group, version, resource, kind, scope, ...lists].join(", ");
    })
    .toSorted();
}

/** Resources of 1.37. The types are those of 1.36, as in the newest client-node. */
const addedIn137 = [
  "certificates.k8s.io, v1, clustertrustbundles,",
  "certificates.k8s.io, v1, podcertificaterequests,",
  "resource.k8s.io, v1, devicetaintrules,",
  "storagemigration.k8s.io, v1, storageversionmigrations,",
];

describe("the handles", () => {
  test("agree with discovery, but for what Kubernetes 1.37 has added (TYP-7)", async () => {
    const api = new FakeApiServer();
    const connection = createConnection({ server: "http://fake", fetch: api.fetch });
    const { resources } = await createClient(connection).discovery.resources();
    const handles = await Promise.all(paths.map(handlesOf));
    const written = handles.flatMap((module) => Object.values(module));
    expect(written).toHaveLength(68);
    const isNew = (line: string): boolean => addedIn137.some((added) => line.startsWith(added));
    const [ours, served] = [describeAll(written), describeAll(resources)];
    expect(served.filter(isNew)).toHaveLength(addedIn137.length);
    expect(ours).toEqual(
      served
        .filter((line) => !isNew(line))
        .map((line) => (line.includes("csinodes") ? line.replace(/status$/, "") : line)),
    );
  });

  test.each(paths)("of %s have the names and URLs of its resources", async (path) => {
    const [group = "", version = ""] = path.split("/");
    for (const [name, handle] of Object.entries(await handlesOf(path))) {
      expect(handle.resource).toBe(name);
      expect(handle.version).toBe(version);
      expect(handle.group === "" ? "core" : handle.group).toBe(group);
    }
  });
});
