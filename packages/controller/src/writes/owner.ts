import type { Key, Scope } from "@listwatch/core-fifo";
import { isRecord, metadataOf } from "@listwatch/core-fifo/base";

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
 * Creates a reference to an owner that manages the object with the reference.
 *
 * @throws {TypeError} if the owner has not been created: it has no uid
 */
export function controllerReference(owner: unknown, type: OwnerType): OwnerReference {
  const { name, uid } = metadataOf(owner) ?? {};
  if (name === undefined || uid === undefined) {
    throw new TypeError("Cannot refer to an owner: expected an object with a name and a uid");
  }
  return { ...type, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Names the type of an owner; objects in a list do not always carry it. */
export interface OwnerType {
  readonly apiVersion: string;
  readonly kind: string;
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
