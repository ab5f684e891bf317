import { apiVersionOf } from "../api/api-versions.ts";
import type { ApiObject } from "../api/api-object.ts";
import type {
  MetadataRepeats,
  PrinterColumn,
  ResourceDefinition,
  ScalePaths,
  SelectableField,
  ServedVersion,
  StoredAs,
  Subresource,
  VersionConversion,
} from "../api/resource-definition.ts";
import type { Clock } from "@listwatch/core-fifo/base";
import { loadOnce } from "../base/load-once.ts";
import type { checkDeclared } from "../rules/declared-rules.ts";
import type { ObjectRules } from "../rules/object-rules.ts";
import type { NameRule } from "../validation/names.ts";
import { loadedSchemaTable, type StructType } from "../schema/schema-table.ts";
import { loadStoredDecoder, zeroStatus } from "../schema/object-decoder.ts";
import { withPodSecurity } from "./admission/pod-security.ts";
import { createdAtColumn, nameColumn } from "./columns.ts";
import type { ResourceStrategy } from "./strategy.ts";

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
  /** Subresources except `status` and `scale`. */
  readonly subresources?: readonly Subresource[] | undefined;
  /** The verbs it serves, in the words of discovery. @default all */
  readonly verbs?: readonly string[] | undefined;
  /** A PUT without a resourceVersion overwrites. */
  readonly unconditionalUpdate?: boolean | undefined;
  /** A PUT to a missing name creates. */
  readonly createOnUpdate?: boolean | undefined;
  /** Counts changes of the desired state in `metadata.generation`. */
  readonly generation?: boolean | undefined;
  /** The state whose changes `generation` counts. @default the spec */
  readonly desiredState?: ((object: ApiObject) => unknown) | undefined;
  /** Fields that selectors may name in addition to metadata; a string is a plain path. */
  readonly selectableFields?: readonly (string | SelectableField)[] | undefined;
  /** The name is put first unless it is among them. @default the creation time */
  readonly columns?: readonly PrinterColumn[] | undefined;
  /** Conditions of a table row. */
  readonly rowConditions?: ServedVersion["rowConditions"];
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject?: boolean | undefined;
  /** DELETE honours a grace period. */
  readonly graceful?: boolean | undefined;
  /** Dependents of a deleted object. @default as the propagation policy says, or deleted */
  readonly dependents?: ResourceStrategy["dependents"];
  /** Warning for the writer of such a delete. */
  readonly orphanWarning?: string | undefined;
  /** Warning for users of the kind: since when it is deprecated, and its replacement. */
  readonly deprecation?: string | undefined;
  /** Rule for names. @default DNS subdomains */
  readonly nameRule?: NameRule | undefined;
  /** Checks that updates repeat. @default changes, once */
  readonly metadataRepeats?: MetadataRepeats | undefined;
  /** Checks that updates of the status repeat. @default changes, once */
  readonly statusMetadataRepeats?: MetadataRepeats | undefined;
  /** A refusal lists equal errors as often as they are found. @default once */
  readonly repeatsErrors?: boolean | undefined;
  /** The other kind in whose storage the objects are. */
  readonly storedAs?: StoredAs | undefined;
  /** Additional served versions, each with its differences from the first. */
  readonly otherVersions?: readonly OtherVersion[] | undefined;
  /** The version in which a real server stores the objects. @default the first */
  readonly storageHashVersion?: string | undefined;
  /** Fills in what a writer left out. */
  readonly defaults?: ((object: ApiObject) => ApiObject) | undefined;
  /** Drops the fields of features that are off, which are not stored. */
  readonly dropDisabled?: ((object: ApiObject) => ApiObject) | undefined;
  /** Loads the checks of an object with this text, such as a compiler. @default none */
  readonly loadChecksOf?: ((text: string) => Promise<void> | undefined) | undefined;
  /** Rules for objects, except their metadata. Ignored if the server's `validation` is off. */
  readonly rules?: ObjectRules | undefined;
  /** Path of the pod template, for pod security; [] for a pod itself. */
  readonly podTemplate?: readonly string[] | undefined;
  /** Returns further special rules of writes, which take precedence over `defaults` and `rules`. */
  readonly strategy?: ((host: KindHost) => ResourceStrategy) | undefined;
}

/** A version of a kind that is not the one it is stored in. */
export interface OtherVersion {
  readonly version: string;
  readonly conversion: VersionConversion;
}

/** Handling of deleted pods that run on a node. */
export type PodDeletion = "instant" | "kubelet" | "never";

/** When the server empties deleted namespaces. */
export type NamespaceDeletion = "instant" | "controller" | "never";

/** Whether the server validates built-in objects beyond their metadata. */
export type Validation = "full" | "off";

/** Addresses and ports that services get. */
export interface ServiceSettings {
  /** Ranges of cluster addresses; the family of the first one is the default. */
  readonly ranges: readonly string[];
  readonly nodePorts: { readonly first: number; readonly last: number };
}

/** Services that a kind's strategy uses. */
export interface KindHost {
  readonly clock: Clock;
  readonly podDeletion: PodDeletion;
  readonly namespaceDeletion: NamespaceDeletion;
  readonly validation: Validation;
  readonly services: ServiceSettings;
  /** The stored objects of a resource, of one namespace or all. */
  readonly objectsOf: (
    resource: Pick<ResourceDefinition, "group" | "plural">,
    namespace?: string,
  ) => readonly ApiObject[];
  /** The labels of the stored object with a key, none if there is no such object. */
  readonly labelsOf: (
    resource: Pick<ResourceDefinition, "group" | "plural">,
    key: string,
  ) => Readonly<Record<string, string>>;
  /** Deletes an object permanently if it still has the uid. */
  readonly deleteObject: (
    resource: Pick<ResourceDefinition, "group" | "plural">,
    key: string,
    uid: string | undefined,
  ) => void;
  /** Deletes everything in a namespace, then the namespace. */
  readonly terminateNamespace: (name: string) => void;
  /** Strategy of CustomResourceDefinitions: `custom-resources/`, a floor above. */
  readonly customResourceDefinitions: ResourceStrategy;
}

/** A built-in kind: the resource it is served as, and how it is written. */
export interface Kind {
  readonly definition: ResourceDefinition;
  /** Returns what is special about writes of the kind. */
  strategy(host: KindHost): ResourceStrategy;
}

/** Makes a kind of what distinguishes it from all others. */
export function defineKind(traits: KindTraits): Kind {
  const definition = definitionOf(traits);
  return {
    definition,
    strategy: (host) => {
      const special = withStatus(
        definition,
        withoutDisabled(traits, traits.strategy?.(host) ?? {}),
      );
      const strategy: ResourceStrategy = {
        decoder: ({ name }) =>
          loadStoredDecoder(apiVersionOf(definition.group, name), definition.kind),
        ...writeRules(traits),
        ...(host.validation === "full" && traits.rules && checksOf(traits.rules)),
        ...special,
        ...(host.validation === "full" && declaredChecks(definition, special)),
      };
      const { podTemplate } = traits;
      if (podTemplate === undefined || host.validation === "off") return strategy;
      return withPodSecurity(strategy, host, podTemplate);
    },
  };
}

function withoutDisabled(
  { dropDisabled }: KindTraits,
  strategy: ResourceStrategy,
): ResourceStrategy {
  if (dropDisabled === undefined) return strategy;
  return {
    ...strategy,
    prepareForCreate: (object, creator) => {
      const kept = dropDisabled(object);
      return strategy.prepareForCreate?.(kept, creator) ?? kept;
    },
    prepareForUpdate: (object, stored) => {
      const kept = dropDisabled(object);
      return strategy.prepareForUpdate?.(kept, stored) ?? kept;
    },
  };
}

// A new object shows the status that its type has when nothing is known.
function withStatus(definition: ResourceDefinition, strategy: ResourceStrategy): ResourceStrategy {
  const [version] = definition.versions;
  if (version?.status !== true || strategy.keepsStatusOnCreate === true) return strategy;
  const apiVersion = apiVersionOf(definition.group, version.name);
  const withZero = (object: ApiObject): ApiObject => {
    if (object["status"] !== undefined) return object;
    const status = zeroStatus(apiVersion, definition.kind);
    return status === undefined ? object : { ...object, status };
  };
  return {
    ...strategy,
    admitNew: (object) => withZero(strategy.admitNew?.(object) ?? object),
    prepareForCreate: (object, creator) =>
      withZero(strategy.prepareForCreate?.(object, creator) ?? object),
  };
}

function writeRules(traits: KindTraits): ResourceStrategy {
  const { defaults, desiredState, dependents, loadChecksOf, orphanWarning, rules } = traits;
  return {
    ...(loadChecksOf && { loadChecksOf }),
    ...(desiredState && { desiredState }),
    ...(dependents && { dependents }),
    ...(orphanWarning !== undefined && { orphanWarning }),
    ...(defaults && { conform: (object) => ({ object: defaults(object), unknown: [] }) }),
    ...(rules?.warnings && { warnings: rules.warnings }),
  };
}

function checksOf(rules: ObjectRules): ResourceStrategy {
  return {
    validateCreate: rules.create,
    validateUpdate: rules.update,
    ...(rules.status && { validateStatus: rules.status }),
  };
}

let declaredRules: typeof checkDeclared | undefined;
// Loaded with the table of types, before the first write of a client.
const loadDeclaredRules = loadOnce(async () => {
  const loaded = await import("../rules/declared-rules.ts");
  declaredRules = loaded.checkDeclared;
});

function declaredChecks(
  { group, kind, storageVersion }: ResourceDefinition,
  special: ResourceStrategy,
): ResourceStrategy {
  const apiVersion = apiVersionOf(group, storageVersion);
  let type: StructType | undefined;
  return {
    loadChecks: (served) => {
      const others = special.loadChecks?.(served);
      if (declaredRules !== undefined) return others;
      return others === undefined ? loadDeclaredRules() : others.then(loadDeclaredRules);
    },
    checkDeclared: (object, stored) => {
      type ??= loadedSchemaTable()?.typeOf(apiVersion, kind);
      return type === undefined ? [] : (declaredRules?.(type, object, stored) ?? []);
    },
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
    ...(traits.verbs && { verbs: traits.verbs }),
    versions: servedVersions(traits),
    storageVersion: version,
    ...(traits.storageHashVersion !== undefined && {
      storageHashVersion: traits.storageHashVersion,
    }),
    ...(traits.storedAs && { storedAs: traits.storedAs }),
    ...(traits.nameRule && { nameRule: traits.nameRule }),
    ...(traits.metadataRepeats && { metadataRepeats: traits.metadataRepeats }),
    ...(traits.statusMetadataRepeats && { statusMetadataRepeats: traits.statusMetadataRepeats }),
    ...(traits.repeatsErrors && { repeatsErrors: true }),
    unconditionalUpdate: traits.unconditionalUpdate ?? false,
    createOnUpdate: traits.createOnUpdate ?? false,
    hasGeneration: traits.generation ?? false,
    returnsDeletedObject: traits.returnsDeletedObject ?? false,
    graceful: traits.graceful ?? false,
  };
}

function servedVersions(traits: KindTraits): readonly ServedVersion[] {
  const stored = servedVersion(traits);
  return [stored, ...(traits.otherVersions ?? []).map((other) => otherVersion(stored, other))];
}

function otherVersion(stored: ServedVersion, { conversion, version }: OtherVersion): ServedVersion {
  // The server prints what is stored.
  const columns = stored.columns.map((column) => ofStored(column, conversion));
  return { ...stored, name: version, conversion, columns };
}

function ofStored(column: PrinterColumn, { toStored }: VersionConversion): PrinterColumn {
  const { cell } = column;
  if (typeof cell === "string") return column;
  return { ...column, cell: (object, now) => cell(toStored(object), now) };
}

function servedVersion(traits: KindTraits): ServedVersion {
  const columns = traits.columns ?? [createdAtColumn];
  const hasName = columns.some(({ name }) => name === nameColumn.name);
  return {
    name: traits.version,
    deprecated: traits.deprecation !== undefined,
    deprecationWarning: traits.deprecation,
    columns: hasName ? columns : [nameColumn, ...columns],
    rowConditions: traits.rowConditions,
    selectableFields: (traits.selectableFields ?? []).map((field) =>
      typeof field === "string" ? { path: field } : field,
    ),
    status: traits.status ?? false,
    ...(traits.scale && { scale: traits.scale }),
    ...(traits.subresources && { subresources: traits.subresources }),
  };
}
