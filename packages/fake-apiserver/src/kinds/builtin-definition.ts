import { createdAtColumn, nameColumn } from "./columns.ts";
import type {
  PrinterColumn,
  ResourceDefinition,
  ScalePaths,
  ServedVersion,
  StoredAs,
} from "../api/resource-definition.ts";

/** What distinguishes a built-in resource (api-server §1.22); everything absent is false or empty. */
export interface BuiltinTraits {
  readonly kind: string;
  /** @default the kind in lower case with an "s" */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly cluster?: boolean;
  readonly status?: boolean;
  readonly scale?: ScalePaths;
  readonly unconditionalUpdate?: boolean;
  readonly createOnUpdate?: boolean;
  readonly generation?: boolean;
  readonly fields?: readonly string[];
  /** The name is put first unless it is among them. @default the creation time */
  readonly columns?: readonly PrinterColumn[];
  readonly returnsDeletedObject?: boolean;
  readonly graceful?: boolean;
  readonly storedAs?: StoredAs;
}

/** The paths of workloads that can be scaled; the selector is an object there and is shown as text. */
export const WORKLOAD_SCALE: ScalePaths = {
  specReplicas: ".spec.replicas",
  statusReplicas: ".status.replicas",
  labelSelector: ".spec.selector",
};

/** Fills in what the traits leave out. */
export function builtinResource(
  group: string,
  version: string,
  traits: BuiltinTraits,
): ResourceDefinition {
  const { kind } = traits;
  return {
    group,
    plural: traits.plural ?? `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    shortNames: traits.shortNames ?? [],
    categories: traits.categories ?? [],
    namespaced: traits.cluster !== true,
    custom: false,
    versions: [servedVersion(version, traits)],
    storageVersion: version,
    ...(traits.storedAs === undefined ? {} : { storedAs: traits.storedAs }),
    unconditionalUpdate: traits.unconditionalUpdate ?? false,
    createOnUpdate: traits.createOnUpdate ?? false,
    hasGeneration: traits.generation ?? false,
    returnsDeletedObject: traits.returnsDeletedObject ?? false,
    graceful: traits.graceful ?? false,
  };
}

function servedVersion(name: string, traits: BuiltinTraits): ServedVersion {
  const columns = traits.columns ?? [createdAtColumn];
  const hasName = columns.some((column) => column.format === nameColumn.format);
  const base = {
    name,
    deprecated: false,
    columns: hasName ? columns : [nameColumn, ...columns],
    selectableFields: traits.fields ?? [],
    status: traits.status ?? false,
  };
  return traits.scale === undefined ? base : { ...base, scale: traits.scale };
}
