import type { FieldError } from "../api/field-error.ts";
import type {
  ApiObject,
  PrinterColumn,
  ResourceDefinition,
  ScalePaths,
  SelectableField,
  ServedVersion,
  StoredAs,
} from "../api/resource-definition.ts";
import type { Clock } from "@listwatch/core-fifo/base";
import type { NameRule } from "../validation/names.ts";
import { createdAtColumn, nameColumn } from "./columns.ts";
import type { ResourceStrategy } from "./strategy.ts";
import type { TypeDocs } from "./type-doc.ts";

/** Everything the server knows of a built-in kind. What is left out is false or empty. */
export interface KindTraits {
  /** @default "", the core group */
  readonly group?: string | undefined;
  readonly version: string;
  readonly kind: string;
  /** @default the kind in lower case with an "s" */
  readonly plural?: string | undefined;
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  /** True for a kind without namespaces. */
  readonly cluster?: boolean | undefined;
  /** Serves the `status` subresource: only it writes the status, everything else keeps it. */
  readonly status?: boolean | undefined;
  /** Serves the `scale` subresource. */
  readonly scale?: ScalePaths | undefined;
  /** A PUT without a resourceVersion overwrites. */
  readonly unconditionalUpdate?: boolean | undefined;
  /** A PUT to a missing name creates. */
  readonly createOnUpdate?: boolean | undefined;
  /** Counts changes of the desired state in `metadata.generation`. */
  readonly generation?: boolean | undefined;
  /** Fields that selectors may name, besides those of metadata; a text is a plain path. */
  readonly selectableFields?: readonly (string | SelectableField)[] | undefined;
  /** The name is put first unless it is among them. @default the creation time */
  readonly columns?: readonly PrinterColumn[] | undefined;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject?: boolean | undefined;
  /** DELETE honours a grace period. */
  readonly graceful?: boolean | undefined;
  /** What names have to be like. @default DNS subdomains */
  readonly nameRule?: NameRule | undefined;
  /** The other kind in whose storage the objects are. */
  readonly storedAs?: StoredAs | undefined;
  /** Fills in what a writer left out. */
  readonly defaults?: ((object: ApiObject) => ApiObject) | undefined;
  /** Returns what is wrong with an object; `stored` is undefined for a new one. */
  readonly validate?: (object: ApiObject, stored: ApiObject | undefined) => readonly FieldError[];
  /** Returns what else is special about writes; what it sets wins over `defaults` and `validate`. */
  readonly strategy?: ((host: KindHost) => ResourceStrategy) | undefined;
  /** The types of the kind, for OpenAPI and `kubectl explain`. */
  readonly docs?: TypeDocs | undefined;
}

/** What the server does with deleted pods that run on a node. */
export type PodDeletion = "instant" | "kubelet" | "never";

/** When the server empties deleted namespaces. */
export type NamespaceDeletion = "instant" | "controller" | "never";

/** What the strategies of kinds need of their server. */
export interface KindHost {
  readonly clock: Clock;
  readonly podDeletion: PodDeletion;
  readonly namespaceDeletion: NamespaceDeletion;
  /** Deletes an object for good if it still has the uid. */
  readonly deleteObject: (
    resource: Pick<ResourceDefinition, "group" | "plural">,
    key: string,
    uid: string | undefined,
  ) => void;
  /** Deletes everything in a namespace, then the namespace. */
  readonly terminateNamespace: (name: string) => void;
  /** What CustomResourceDefinitions make the server do: `custom-resources/`, a floor above. */
  readonly customResourceDefinitions: ResourceStrategy;
}

/** A built-in kind: the resource it is served as, how it is written, and its documentation. */
export interface Kind {
  readonly definition: ResourceDefinition;
  readonly docs: TypeDocs;
  /** Returns what is special about writes of the kind. */
  strategy(host: KindHost): ResourceStrategy;
}

/** Makes a kind of what distinguishes it from all others. */
export function defineKind(traits: KindTraits): Kind {
  return {
    definition: definitionOf(traits),
    docs: traits.docs ?? {},
    strategy: (host) => ({ ...writeRules(traits), ...traits.strategy?.(host) }),
  };
}

function writeRules({ defaults, validate }: KindTraits): ResourceStrategy {
  return {
    ...(defaults && { conform: (object) => ({ object: defaults(object), unknown: [] }) }),
    ...(validate && {
      validateCreate: (object) => validate(object, undefined),
      validateUpdate: (object, stored) => validate(object, stored),
    }),
  };
}

function definitionOf(traits: KindTraits): ResourceDefinition {
  const { kind, version } = traits;
  return {
    group: traits.group ?? "",
    plural: traits.plural ?? `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: traits.shortNames ?? [],
    categories: traits.categories ?? [],
    namespaced: traits.cluster !== true,
    custom: false,
    versions: [servedVersion(traits)],
    storageVersion: version,
    ...(traits.storedAs && { storedAs: traits.storedAs }),
    ...(traits.nameRule && { nameRule: traits.nameRule }),
    unconditionalUpdate: traits.unconditionalUpdate ?? false,
    createOnUpdate: traits.createOnUpdate ?? false,
    hasGeneration: traits.generation ?? false,
    returnsDeletedObject: traits.returnsDeletedObject ?? false,
    graceful: traits.graceful ?? false,
  };
}

function servedVersion(traits: KindTraits): ServedVersion {
  const columns = traits.columns ?? [createdAtColumn];
  const hasName = columns.some((column) => column.format === nameColumn.format);
  return {
    name: traits.version,
    deprecated: false,
    columns: hasName ? columns : [nameColumn, ...columns],
    selectableFields: (traits.selectableFields ?? []).map((field) =>
      typeof field === "string" ? { path: field } : field,
    ),
    status: traits.status ?? false,
    ...(traits.scale && { scale: traits.scale }),
  };
}
