import { builtinResources } from "../../packages/fake-apiserver/src/kinds/builtin-kinds.ts";
import {
  referencedName,
  type Documents,
  type GroupVersionKind,
  type Operation,
  type PathItem,
} from "./documents.ts";

/** A resource as the paths of the documents show it. */
export interface ServedResource extends GroupVersionKind {
  readonly resource: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly shortNames: readonly string[];
  /** Whether the server stores its objects: reviews and computed objects cannot be replaced. */
  readonly isStored: boolean;
  /** In the order of their names, each with the schema of its objects if it has objects. */
  readonly subresources: readonly { readonly name: string; readonly schema?: string | undefined }[];
}

const pathPattern =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>v\w+)\/(?<namespaced>namespaces\/\{namespace\}\/)?(?<resource>[a-z]+)(?:\/\{name\}\/(?<subresource>[a-z]+))?(?:\/\{name\})?$/;

/**
 * The resources that the documents describe, in the order of their names. OpenAPI does not know
 * short names: those are the fake API server's, which are tested against recorded discovery.
 */
export function servedResources({ paths }: Documents): ServedResource[] {
  const found = new Map<string, ServedResource & { readonly subresources: Subresources }>();
  const matches = [...paths].map(([path, item]) => [pathPattern.exec(path)?.groups, item] as const);
  const keyOf = ({ group = "", version = "", resource = "" }: PathNames): string =>
    [group, version, resource].join("/");
  const storedKeys = new Set(
    matches.flatMap(([groups, item]) =>
      groups === undefined || groups["subresource"] !== undefined || item["put"] === undefined
        ? []
        : [keyOf(groups)],
    ),
  );
  for (const [groups, item] of matches) {
    if (groups === undefined || groups["subresource"] !== undefined) continue;
    const { group = "", namespaced, resource = "", version = "" } = groups;
    const kind = kindOf(item);
    const key = keyOf(groups);
    // All namespaces, of a resource that has namespaces, are a path without one.
    if (kind === undefined || (found.has(key) && namespaced === undefined)) continue;
    const scope = namespaced === undefined ? "Cluster" : "Namespaced";
    const shortNames = shortNamesOf(group, resource);
    const isStored = storedKeys.has(key);
    const names = { group, version, resource, kind, shortNames };
    found.set(key, { ...names, scope, isStored, subresources: [] });
  }
  for (const [groups, item] of matches) {
    if (groups?.["subresource"] === undefined) continue;
    const { resource = "", subresource: name = "" } = groups;
    const owner = found.get(keyOf(groups));
    if (owner === undefined) throw new Error(`${resource}/${name} belongs to no resource`);
    owner.subresources.push({ name, schema: bodySchema(item) });
  }
  return [...found.values()].toSorted((a, b) => (a.resource < b.resource ? -1 : 1));
}

type PathNames = Readonly<Record<string, string | undefined>>;
type Subresources = { readonly name: string; readonly schema?: string | undefined }[];

function operationsOf(item: PathItem): Operation[] {
  return ["get", "put", "post"].flatMap((method) => item[method] ?? []);
}

function kindOf(item: PathItem): string | undefined {
  return operationsOf(item)
    .map((operation) => operation["x-kubernetes-group-version-kind"]?.kind)
    .find((kind) => kind !== undefined);
}

/** Schema of the answer of a subresource. Logs and connections have none. */
function bodySchema(item: PathItem): string | undefined {
  for (const { responses = {} } of operationsOf(item)) {
    for (const { content = {} } of Object.values(responses)) {
      const reference = content["application/json"]?.schema?.$ref;
      if (reference !== undefined) return referencedName(reference);
    }
  }
  return undefined;
}

function shortNamesOf(group: string, plural: string): readonly string[] {
  const known = builtinResources().find((one) => one.group === group && one.plural === plural);
  return known?.shortNames ?? [];
}
