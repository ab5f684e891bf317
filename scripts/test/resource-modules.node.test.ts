import { beforeAll, describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { readDocuments, type DocumentSchema } from "../resources/documents.ts";
import { resourceModules, type ResourceModules } from "../resources/resource-modules.ts";

interface Created {
  readonly apiVersion: string;
  readonly kind: string;
  readonly output: Readonly<Record<string, unknown>>;
}

const documents = readDocuments();
let modules: ResourceModules;
beforeAll(() => {
  modules = resourceModules(documents);
});

/** The text of a declaration in a module. */
function declaration(path: string, name: string): string {
  const source = modules.sources.get(path) ?? "";
  const start = source.search(new RegExp(`^export (?:interface|type|const) ${name}\\b`, "m"));
  return source.slice(start, source.indexOf("\n}", start) + 2);
}

/** The members of a declaration, without documentation. */
function members(path: string, name: string): string[] {
  return declaration(path, name)
    .split("\n")
    .filter((line) => /^ {2}[\w$"]/.test(line))
    .map((line) => line.trim());
}

/** Objects that a real server answered to creations. */
function observations(): readonly Created[] {
  const file = "conformance/fidelity/recordings/defaults.json";
  return (JSON.parse(readFileSync(file, "utf8")) as { observations: readonly Created[] })
    .observations;
}

describe("the modules of Kubernetes' kinds", () => {
  test("are one for each group and version, and one of what all share", () => {
    expect([...modules.sources.keys()]).toContain("meta/v1");
    expect(modules.sources.size).toBe(23);
    expect(modules.handles).toBe(68);
    // Eleven of the schemas are not interfaces: times, quantities, patches, any JSON.
    expect(modules.interfaces + 11).toBe(documents.schemas.size);
  });

  test("have what JSON has: times and quantities are texts, ports texts or numbers", () => {
    expect(members("meta/v1", "ObjectMeta")).toContain("creationTimestamp?: string | undefined;");
    expect(members("core/v1", "ResourceRequirements")).toContain(
      "limits?: { [key: string]: string } | undefined;",
    );
    expect(members("core/v1", "ServicePort")).toContain(
      "targetPort?: number | string | undefined;",
    );
    expect(members("apps/v1", "ControllerRevision")).toContain(
      "data?: { [key: string]: unknown } | undefined;",
    );
    expect(members("apiextensions.k8s.io/v1", "JSONSchemaProps")).toContain(
      "items?: JSONSchemaProps | JSONSchemaProps[] | undefined;",
    );
  });

  test("have the one text of apiVersion and kind, and the words that a field may have", () => {
    expect(members("apps/v1", "Deployment")).toEqual([
      'apiVersion: "apps/v1";',
      'kind: "Deployment";',
      "metadata: NamespacedObjectMeta;",
      "spec: DeploymentSpec;",
      "status: DeploymentStatus;",
    ]);
    expect(members("core/v1", "Container")).toContain(
      'imagePullPolicy?: "Always" | "IfNotPresent" | "Never" | undefined;',
    );
  });

  test("keep the documentation", () => {
    expect(declaration("core/v1", "PodSpec")).toContain(
      "/** NodeName indicates in which node this pod is scheduled.",
    );
    expect(declaration("core/v1", "ContainerPort")).toContain('@default "TCP"');
  });

  test("require of a kind's metadata, spec and status what a real server wrote (TYP-7)", () => {
    let checked = 0;
    for (const { apiVersion, kind, output } of observations()) {
      const path = apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`;
      for (const member of members(path, kind)) {
        const name = /^(metadata|spec|status):/.exec(member)?.[1];
        if (name === undefined) continue;
        checked++;
        expect(output[name], `${apiVersion} ${kind}: ${name}`).toBeDefined();
      }
    }
    expect(checked).toBeGreaterThan(300);
  });

  test("require the metadata that a real server wrote, by the scope of the kind (TYP-8)", () => {
    const stored = ["creationTimestamp", "name", "resourceVersion", "uid"];
    expect(members("meta/v1", "StoredObjectMeta")).toEqual(
      stored.map((name) => `${name}: string;`),
    );
    const scopes = new Set<string>();
    for (const { apiVersion, kind, output } of observations()) {
      const path = apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`;
      const written = Object.keys(output["metadata"] ?? {});
      const scope = written.includes("namespace") ? "Namespaced" : "Cluster";
      expect(members(path, kind), `${apiVersion} ${kind}`).toContain(
        `metadata: ${scope}ObjectMeta;`,
      );
      expect(written, `${apiVersion} ${kind}`).toEqual(expect.arrayContaining(stored));
      scopes.add(scope);
    }
    expect(scopes.size).toBe(2);
  });

  test("have plain metadata for objects that no server stores, and for parts of others", () => {
    for (const kind of ["TokenReview", "SelfSubjectReview"]) {
      expect(members("authentication.k8s.io/v1", kind)).toContain("metadata: ObjectMeta;");
    }
    expect(members("core/v1", "PodTemplateSpec")).toContain("metadata?: ObjectMeta | undefined;");
    expect(members("apps/v1", "EmbeddedPersistentVolumeClaim")).toEqual([
      "apiVersion?: string | undefined;",
      "kind?: string | undefined;",
      "metadata: ObjectMeta;",
      "spec: PersistentVolumeClaimSpec;",
      "status?: PersistentVolumeClaimStatus | undefined;",
    ]);
  });

  test("refuse documents whose schemas are of no group that has resources", () => {
    const schemas = new Map<string, DocumentSchema>([["io.k8s.api.unheard.v1.Of", {}]]);
    expect(() => resourceModules({ schemas, paths: new Map() })).toThrow(
      "No group of the documents has io.k8s.api.unheard.v1.Of",
    );
  });
});
