import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Schema } from "../../packages/resources/src/generator/read-schema.ts";

/** A group, a version and a kind; the core group is `""`. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A schema of an OpenAPI document, which names the kinds that it describes. */
export interface DocumentSchema extends Schema {
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: DocumentSchema }>>;
}

/** A method of a path. */
export interface Operation {
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
  readonly "x-kubernetes-group-version-kind"?: GroupVersionKind;
}

/** Operations of a path by method; `parameters` and other members are not operations. */
export type PathItem = Readonly<Record<string, Operation | undefined>>;

/** Schemas and paths of the stable groups, from the documents of an API server. */
export interface Documents {
  readonly schemas: ReadonlyMap<string, DocumentSchema>;
  readonly paths: ReadonlyMap<string, PathItem>;
}

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, DocumentSchema>> };
  readonly paths?: Readonly<Record<string, PathItem>>;
}

// Documents of the version that the types of @kubernetes/client-node have: tests compare them.
const folder = new URL("openapi-v3/", import.meta.url);

/** Reads the OpenAPI documents of Kubernetes 1.36. Those of the fake API server are newer. */
export function readDocuments(): Documents {
  const schemas = new Map<string, DocumentSchema>();
  const paths = new Map<string, PathItem>();
  // The documents of groups without a version only describe discovery.
  const files = readdirSync(folder).filter((name) => /__v\d/.test(name));
  for (const file of files.toSorted()) {
    const text = gunzipSync(readFileSync(new URL(file, folder))).toString();
    const document = JSON.parse(text) as Document;
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      schemas.set(name, schema);
    }
    for (const [path, item] of Object.entries(document.paths ?? {})) paths.set(path, item);
  }
  return { schemas, paths };
}

/** The name of the schema that a reference points to. */
export function referencedName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
