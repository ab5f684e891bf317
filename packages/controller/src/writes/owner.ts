import { metadataOf } from "@listwatch/core-fifo";

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

/** Which owners are meant. */
export interface OwnerKind {
  /** API group; `""` is the core group. Versions do not matter. */
  readonly group: string;
  readonly kind: string;
  /** Count owners that do not manage the object, too. @default false */
  readonly anyOwner?: boolean | undefined;
}

/** The owner references of an object. */
export function ownerReferences(object: unknown): readonly OwnerReference[] {
  const metadata = metadataOf(object);
  if (metadata === undefined || !("ownerReferences" in metadata)) return [];
  const references: unknown = metadata.ownerReferences;
  return Array.isArray(references) ? references.filter(isOwnerReference) : [];
}

/**
 * Maps an object to the keys of its owners of one kind, for {@link Controller.owns}. The owner is
 * looked for in the object's namespace, where owners of namespaced objects are.
 *
 * @param clusterScoped whether such owners have no namespace @default false
 */
export function ownerOf(
  { group, kind, anyOwner = false }: OwnerKind,
  clusterScoped = false,
): (object: unknown) => readonly string[] {
  return (object) => {
    const namespace = clusterScoped ? "" : (metadataOf(object)?.namespace ?? "");
    return ownerReferences(object)
      .filter((owner) => owner.kind === kind && groupOf(owner.apiVersion) === group)
      .filter((owner) => anyOwner || owner.controller === true)
      .map(({ name }) => (namespace === "" ? name : `${namespace}/${name}`));
  };
}

/**
 * A reference to an owner that manages the object it stands in.
 *
 * @throws {TypeError} if the owner has not been created: it has no uid
 */
export function controllerReference(owner: unknown, type: OwnerType): OwnerReference {
  const { name, uid } = metadataOf(owner) ?? {};
  if (name === undefined || uid === undefined) {
    throw new TypeError("Couldn't refer to an owner: expected an object with a name and a uid");
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
    typeof value === "object" &&
    value !== null &&
    "apiVersion" in value &&
    typeof value.apiVersion === "string" &&
    "kind" in value &&
    "name" in value
  );
}
