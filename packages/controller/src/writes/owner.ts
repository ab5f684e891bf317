import type { Key, Scope } from "@listwatch/core-fifo";
import {
  createInvalidOptionError,
  isRecord,
  metadataOf,
  recordOf,
} from "@listwatch/core-fifo/base";

/** A reference from an object to one it belongs to. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** Whether the owner manages the object; one owner at most does. */
  readonly controller?: boolean | undefined;
  readonly blockOwnerDeletion?: boolean | undefined;
}

/** The owners that {@link ownerOf} looks for, such as a handle of their resource. */
export interface OwnerKind<S extends Scope = Scope> {
  /** API group; `""` is the core group. Versions do not matter. */
  readonly group: string;
  readonly kind: string;
  /** Whether owners count that do not manage the object, too. @default false */
  readonly anyOwner?: boolean | undefined;
  /**
   * Whether such owners live in a namespace, which is then that of their objects.
   *
   * @default that of each object: owners of objects in a namespace live in it
   */
  readonly scope?: S | undefined;
}

/** The owner references of an object. */
export function ownerReferences(object: unknown): readonly OwnerReference[] {
  const metadata = metadataOf(object);
  const references: unknown = metadata && Reflect.get(metadata, "ownerReferences");
  return Array.isArray(references) ? references.filter(isOwnerReference) : [];
}

/**
 * Returns a function from an object to the keys of its owners of one kind, for
 * {@link Controller.owns}. Given a handle of the owners' resource, the function is one to keys of
 * its scope.
 */
export function ownerOf<S extends Scope = Scope>(
  owner: OwnerKind<S>,
): (object: unknown) => readonly Key<S>[] {
  const { group, kind, anyOwner = false, scope } = owner;
  const isKey = (key: string): key is Key<S> => scope !== "Namespaced" || key.includes("/");
  return (object) => {
    const namespace = scope === "Cluster" ? "" : (metadataOf(object)?.namespace ?? "");
    return ownerReferences(object)
      .filter((reference) => reference.kind === kind && groupOf(reference.apiVersion) === group)
      .filter(({ controller }) => anyOwner || controller === true)
      .map(({ name }) => (namespace === "" ? name : `${namespace}/${name}`))
      .filter(isKey);
  };
}

/**
 * Creates a reference to an owner that manages the object with the reference: `type` is the handle
 * of its resource, or anything with its `apiVersion` and `kind`, such as the owner itself if it was
 * read alone.
 *
 * @throws {TypeError} if the owner has not been created: it has no uid
 * @throws {InvalidOptionsError} if the type has no `apiVersion` and `kind`, and is no handle
 */
export function controllerReference(owner: unknown, type: OwnerType | OwnerHandle): OwnerReference {
  const { name, uid } = metadataOf(owner) ?? {};
  if (name === undefined || uid === undefined) {
    throw new TypeError("Cannot refer to an owner: expected an object with a name and a uid");
  }
  return { ...typeOf(type), name, uid, controller: true, blockOwnerDeletion: true };
}

/** Names the type of an owner; objects in a list do not always carry it. */
export interface OwnerType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What the handle of a resource says of the type of its objects. */
export interface OwnerHandle {
  /** API group; `""` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

// Takes anything, for programs without types.
function typeOf(type: unknown): OwnerType {
  const { apiVersion, group, version, kind } = recordOf(type);
  const isHandle = typeof group === "string" && typeof version === "string";
  const named = apiVersion ?? (isHandle && (group === "" ? version : `${group}/${version}`));
  if (typeof named === "string" && typeof kind === "string") return { apiVersion: named, kind };
  const expected = "an object with apiVersion and kind, or with group, version and kind";
  throw createInvalidOptionError("type", expected, type);
}

/** The group in an `apiVersion`; `""` is the core group. */
export function groupOf(apiVersion: string): string {
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
