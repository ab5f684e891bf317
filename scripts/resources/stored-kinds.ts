import type { Documents } from "./documents.ts";
import type { ServedResource } from "./served-resources.ts";

/** Module of the types that all kinds share. */
export const metaPath = "meta/v1";

const plainMeta = "ObjectMeta";
const storedMeta = { Namespaced: "NamespacedObjectMeta", Cluster: "ClusterObjectMeta" } as const;
/** Its objects have the metadata of the scaled object, in any scope. */
const scale = "io.k8s.api.autoscaling.v1.Scale";
const anyStoredMeta = "StoredObjectMeta";

/** Interfaces of {@link metaPath} for the metadata that servers write, which no document has. */
export const storedMetaInterfaces = [
  {
    name: anyStoredMeta,
    text: `/** Metadata of an object that was read. A server always writes these members. */
export interface ${anyStoredMeta} extends ${plainMeta} {
  creationTimestamp: string;
  name: string;
  resourceVersion: string;
  uid: string;
}
`,
  },
  {
    name: storedMeta.Namespaced,
    text: `/** Metadata of an object of a namespaced resource that was read. */
export interface ${storedMeta.Namespaced} extends ${anyStoredMeta} {
  namespace: string;
}
`,
  },
  {
    name: storedMeta.Cluster,
    text: `/** Metadata of an object of a cluster-scoped resource that was read. */
export interface ${storedMeta.Cluster} extends ${anyStoredMeta} {
  namespace?: undefined;
}
`,
  },
] as const;

/** Kinds that a server stores, by the names of their schemas. */
export class StoredKinds {
  readonly #metadata: ReadonlyMap<string, string>;
  readonly #kinds: ReadonlySet<string>;

  constructor({ schemas }: Documents, resources: readonly ServedResource[]) {
    const stored = resources
      .filter(({ isStored }) => isStored)
      .map(({ group, version, kind, scope }) => [`${group}/${version}/${kind}`, scope] as const);
    const scopes = new Map(stored);
    const kinds = [...schemas].flatMap(([name, schema]) => {
      const types = schema["x-kubernetes-group-version-kind"] ?? [];
      return types.map(
        ({ group, version, kind }) => [name, `${group}/${version}/${kind}`] as const,
      );
    });
    const metadata = kinds.flatMap(([name, type]) => {
      const scope = scopes.get(type);
      return scope === undefined ? [] : [[name, storedMeta[scope]] as const];
    });
    this.#kinds = new Set(kinds.map(([name]) => name));
    this.#metadata = new Map<string, string>([...metadata, [scale, anyStoredMeta]]);
  }

  /** Returns the type of the metadata of a schema. */
  metadataOf(name: string): string {
    return this.#metadata.get(name) ?? plainMeta;
  }

  /** Whether a schema contains a stored kind as a part, which the server then does not store. */
  isEmbedded(name: string, inside: string): boolean {
    return this.#metadata.has(name) && !this.#kinds.has(inside);
  }
}
