import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "./api-object.ts";
import type { JsonSchema } from "./json-schema.ts";

/** A column of `kubectl get`, as the server prints it (Table, meta.k8s.io/v1). */
export interface PrinterColumn {
  readonly name: string;
  /** OpenAPI type of the cell: string, integer, number, boolean or date. */
  readonly type: string;
  readonly format: string;
  /** @default that of a server's own kinds (column-descriptions.generated.ts) */
  readonly description?: string | undefined;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number;
  /** Either a JSON path into the object (custom resources) or a function (built-in types). */
  readonly cell: string | ((object: ApiObject, now: number) => TableCell);
}

/** The value of a cell of a Table. */
export type TableCell = string | number | boolean | null;

/** The paths of a scale subresource, JSON paths with a leading dot. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string | undefined;
}

/** A field that field selectors may name. */
export interface SelectableField {
  /** Without leading dot. */
  readonly path: string;
  /** Another name for it in selectors. */
  readonly alias?: string | undefined;
  /** The text of a missing value: the zero value in Go. @default "" */
  readonly zero?: string | undefined;
  /** Reads the value out of a stored object. @default the value at the path */
  readonly read?: ((object: ApiObject) => unknown) | undefined;
}

/** A subresource of a built-in resource other than `status` and `scale`. */
export interface Subresource {
  readonly name: string;
  /** The kind of its bodies. @default that of the resource */
  readonly kind?: string | undefined;
  /** The group of the kind. @default that of the resource */
  readonly group?: string | undefined;
  /** The version of the kind. @default that of the resource */
  readonly version?: string | undefined;
  /** In the words of discovery. */
  readonly verbs: readonly string[];
}

/** One served version of a resource. */
export interface ServedVersion {
  readonly name: string;
  readonly deprecated: boolean;
  /** Text of the Warning header; the server's own wording when absent. */
  readonly deprecationWarning?: string | undefined;
  /** Structural schema; absent for built-in types, which are permissive on specs. */
  readonly schema?: JsonSchema | undefined;
  readonly columns: readonly PrinterColumn[];
  /** The conditions of an object's row in a Table. */
  readonly rowConditions?: ((object: ApiObject) => readonly JsonObject[]) | undefined;
  /** In addition to metadata.name and metadata.namespace. */
  readonly selectableFields: readonly SelectableField[];
  readonly status: boolean;
  readonly scale?: ScalePaths | undefined;
  readonly subresources?: readonly Subresource[] | undefined;
  /** How its objects become those of the storage version; absent where they are the same. */
  readonly conversion?: VersionConversion | undefined;
}

/** Between a served version of a built-in resource and the one that is stored. */
export interface VersionConversion {
  readonly toStored: (object: ApiObject) => ApiObject;
  /** Takes objects of this version too, as they are. */
  readonly fromStored: (object: ApiObject) => ApiObject;
}

/** Another resource in whose storage the objects of a resource are, as objects of that resource. */
export interface StoredAs {
  readonly group: string;
  readonly plural: string;
  readonly toStored: (object: ApiObject) => ApiObject;
  readonly fromStored: (object: ApiObject) => ApiObject;
  /** Where the field at a path is in a stored object. */
  readonly storedField: (path: string) => string;
}

/** The webhook that converts the objects of a CustomResourceDefinition. */
export interface ConversionWebhook {
  /** `clientConfig` of the webhook. */
  readonly config: JsonObject;
  /** Versions of ConversionReviews that it takes. */
  readonly reviewVersions: readonly string[];
}

/** Everything the server has to know of a resource; built-in types and custom resources alike. */
export interface ResourceDefinition {
  /** "" for the core group. */
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly custom: boolean;
  /** Where it does not serve all of them, in the words of discovery. */
  readonly verbs?: readonly string[] | undefined;
  /** Served versions, the preferred one first. */
  readonly versions: readonly ServedVersion[];
  readonly storageVersion: string;
  /** The version that discovery hashes as the stored one. @default the one that is stored */
  readonly storageHashVersion?: string | undefined;
  /** Converts the objects of a custom resource. @default only their apiVersion changes */
  readonly conversionWebhook?: ConversionWebhook | undefined;
  /** Absent for resources that have a separate storage. */
  readonly storedAs?: StoredAs | undefined;
  /** PUT without a resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean;
  /** PUT to a missing name creates. */
  readonly createOnUpdate: boolean;
  readonly hasGeneration: boolean;
  /** Returns what is wrong with the name of an object. @default the rule for DNS subdomains */
  readonly nameRule?: ((name: string) => readonly string[]) | undefined;
  /** Checks of updates that are repeated. @default changes, once */
  readonly metadataRepeats?: MetadataRepeats | undefined;
  /** The same of updates of the status. @default changes, once */
  readonly statusMetadataRepeats?: MetadataRepeats | undefined;
  /**
   * A refusal of a built-in kind lists equal errors as often as they are found. That holds for the
   * kinds that are not part of k8s.io/kubernetes; for the others, errors are made unique before
   * those of declared rules are added (k8s.io/apiserver pkg/registry/rest/validate.go,
   * `ValidateDeclarativelyWithMigrationChecks`). Custom resources repeat errors too.
   *
   * @default false
   */
  readonly repeatsErrors?: boolean | undefined;
  /** DELETE answers with the object instead of a Status (Pod, Namespace). */
  readonly returnsDeletedObject: boolean;
  /** DELETE honours a grace period (Pod). */
  readonly graceful: boolean;
}

/**
 * How often the validation of a resource repeats what the registry has checked of the metadata in
 * an update. It shows in the causes of a refusal.
 */
export interface MetadataRepeats {
  /** Checks of fields that an update must not change. */
  readonly changes: number;
  /** Checks of a new object. */
  readonly whole: number;
}
