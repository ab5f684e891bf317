import type { Key, Scope } from "@listwatch/core-fifo";
import {
  checkOption,
  createInvalidOptionError,
  isRecord,
  metadataOf,
  recordOf,
  type OptionCheck,
} from "@listwatch/core-fifo/base";

/** A reference from an object to its owner. */
export interface OwnerReference {
  /** Group and version of the owner, such as `apps/v1`. */
  readonly apiVersion: string;
  /** Kind of the owner, such as `Deployment`. */
  readonly kind: string;
  /** Name of the owner, in the same namespace unless it is cluster-scoped. */
  readonly name: string;
  /** Uid of the owner. An object of the same name with another uid is not the owner. */
  readonly uid: string;
  /** Whether the owner manages the object. At most one owner does. */
  readonly controller?: boolean | undefined;
  /** Whether a foreground deletion of the owner waits for this object. */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** Kind of owners for {@link ownerOf}, such as a handle of their resource. */
export interface OwnerKind<S extends Scope = Scope> {
  /** API group; `""` is the core group. Any version matches. */
  readonly group: string;
  /** Kind of the owners, such as `Deployment`. */
  readonly kind: string;
  /** Whether to include owners that do not manage the object. @default false */
  readonly anyOwner?: boolean | undefined;
  /**
   * Scope of the owners. Namespaced owners are in the namespace of their objects.
   *
   * @default the scope of each object
   */
  readonly scope?: S | undefined;
}

/** Returns the owner references of an object. */
export function ownerReferences(object: unknown): readonly OwnerReference[] {
  const metadata = metadataOf(object);
  const references: unknown = metadata && Reflect.get(metadata, "ownerReferences");
  return Array.isArray(references) ? references.filter(isOwnerReference) : [];
}

/** Maps an object to the keys of its owners of one kind. */
export interface OwnerMapping<S extends Scope = Scope> {
  (object: unknown): readonly Key<S>[];
  /** Kind that the mapping selects. */
  readonly owner: OwnerKind<S>;
}

const anOwner = "a handle of the owners' resource, or an object with group and kind";
const aKind: OptionCheck = (value) => {
  const { group, kind } = recordOf(value);
  return typeof group === "string" && typeof kind === "string" ? undefined : anOwner;
};

/**
 * Returns a function that maps an object to the keys of its owners of one kind. With a handle of
 * the owners' resource, the keys have the type of its scope.
 *
 * @throws {InvalidOptionsError} if the kind is neither a handle nor an object with group and kind
 */
export function ownerOf<S extends Scope = Scope>(owner: OwnerKind<S>): OwnerMapping<S> {
  checkOption("owner", owner, aKind);
  const { group, kind, anyOwner = false, scope } = owner;
  const isKey = (key: string): key is Key<S> => scope !== "Namespaced" || key.includes("/");
  const keysOf = (object: unknown): readonly Key<S>[] => {
    const namespace = scope === "Cluster" ? "" : (metadataOf(object)?.namespace ?? "");
    return ownerReferences(object)
      .filter((reference) => reference.kind === kind && groupOf(reference.apiVersion) === group)
      .filter(({ controller }) => anyOwner || controller === true)
      .map(({ name }) => (namespace === "" ? name : `${namespace}/${name}`))
      .filter(isKey);
  };
  return Object.assign(keysOf, { owner });
}

/**
 * Returns the mapping of an owner for {@link Controller.owns}.
 *
 * @throws {InvalidOptionsError} if it is a function that does not come from {@link ownerOf}
 */
export function mappingOf<S extends Scope>(owner: OwnerKind<S> | OwnerMapping<S>): OwnerMapping<S> {
  if (typeof owner !== "function") return ownerOf(owner);
  if ("owner" in owner) return owner;
  throw createInvalidOptionError("owner", `${anOwner}; watches takes functions`, owner);
}

/**
 * Creates a reference to the owner that manages an object. `type` is the handle of the owner's
 * resource, or any object with its `apiVersion` and `kind`, such as an owner that was read alone.
 *
 * @throws {TypeError} if the owner has no uid, because it has not been created
 * @throws {InvalidOptionsError} if the type is not a handle and has no `apiVersion` and `kind`
 */
export function controllerReference(owner: unknown, type: OwnerType | OwnerHandle): OwnerReference {
  const { name, uid } = metadataOf(owner) ?? {};
  if (name === undefined || uid === undefined) {
    throw new TypeError("Cannot refer to an owner: expected an object with a name and a uid");
  }
  return { ...typeOf(type), name, uid, controller: true, blockOwnerDeletion: true };
}

/** Type of an owner. Objects in a list do not always contain it. */
export interface OwnerType {
  /** Group and version of the owner, such as `apps/v1`. */
  readonly apiVersion: string;
  /** Kind of the owner, such as `Deployment`. */
  readonly kind: string;
}

/** The members of a resource handle that identify the type of its objects. */
export interface OwnerHandle {
  /** API group; `""` is the core group. */
  readonly group: string;
  /** Version of the group, such as `v1`. */
  readonly version: string;
  /** Kind of the owner, such as `Deployment`. */
  readonly kind: string;
}

// Accepts any value, for programs without types.
function typeOf(type: unknown): OwnerType {
  const { apiVersion, group, version, kind } = recordOf(type);
  const isHandle = typeof group === "string" && typeof version === "string";
  const named = apiVersion ?? (isHandle && (group === "" ? version : `${group}/${version}`));
  if (typeof named === "string" && typeof kind === "string") return { apiVersion: named, kind };
  const expected = "an object with apiVersion and kind, or with group, version and kind";
  throw createInvalidOptionError("type", expected, type);
}

/** Returns the group of an `apiVersion`; `""` is the core group. */
function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

function isOwnerReference(value: unknown): value is OwnerReference {
  return (
    isRecord(value) &&
    typeof value["apiVersion"] === "string" &&
    value["kind"] !== undefined &&
    value["name"] !== undefined
  );
}
