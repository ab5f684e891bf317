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

/** The owners that {@link ownerOf} looks for. */
export interface OwnerKind {
  /** API group; `""` is the core group. Versions do not matter. */
  readonly group: string;
  readonly kind: string;
  /** Whether owners count that do not manage the object, too. @default false */
  readonly anyOwner?: boolean | undefined;
  /** Whether such owners have no namespace. @default false */
  readonly clusterScoped?: boolean | undefined;
}

/** The owner references of an object. */
export function ownerReferences(object: unknown): readonly OwnerReference[] {
  const metadata = metadataOf(object);
  const references: unknown = metadata && Reflect.get(metadata, "ownerReferences");
  return Array.isArray(references) ? references.filter(isOwnerReference) : [];
}

/**
 * Returns a function from an object to the keys of its owners of one kind, for
 * {@link Controller.owns}. Owners of namespaced objects are in the object's namespace.
 */
export function ownerOf(owner: OwnerKind): (object: unknown) => readonly string[] {
  const { group, kind, anyOwner = false, clusterScoped = false } = owner;
  return (object) => {
    const namespace = clusterScoped ? "" : (metadataOf(object)?.namespace ?? "");
    return ownerReferences(object)
      .filter((reference) => reference.kind === kind && groupOf(reference.apiVersion) === group)
      .filter(({ controller }) => anyOwner || controller === true)
      .map(({ name }) => (namespace === "" ? name : `${namespace}/${name}`));
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
