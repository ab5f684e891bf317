import { createNoMetadataError, ListwatchError } from "../base/errors.ts";
import { metadataOf, type Scope } from "../base/kubernetes-object.ts";
import { describeValue } from "../base/values.ts";
import { DeletedFinalStateUnknown } from "./delta.ts";
import { aBoolean, checkOptions, type OptionsOf } from "../base/options.ts";

/**
 * Returns the key that identifies an object. It must be pure: equal objects have equal keys. It
 * throws if there is no key; queues and stores wrap the error in a {@link KeyError}, and treat a
 * result that is not a string in the same way.
 */
export type KeyFunction<T> = (object: T) => string;

/**
 * The usual key of an object: `namespace/name`, or `name` for cluster-scoped objects. Literals are
 * checked: `"web-0"` is not a `Key<"Namespaced">`.
 */
export type Key<S extends Scope = Scope> = S extends "Namespaced" ? `${string}/${string}` : string;

/** Namespace and name of an object. `namespace` is `""` for cluster-scoped objects. */
export interface ObjectName {
  /** Namespace of the object; `""` for cluster-scoped objects. */
  readonly namespace: string;
  /** Name of the object. */
  readonly name: string;
}

/** A known key, to pass to {@link metaNamespaceKey} in place of an object. */
export class ExplicitKey {
  /** Key that {@link metaNamespaceKey} returns for this value. */
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/** Options of {@link metaNamespaceKey} and its relatives. */
export interface KeyOptions {
  /**
   * Whether an object without a name has the key `"namespace/"` or `""`, as in client-go, instead
   * of an error.
   *
   * @default false
   */
  readonly allowMissingName?: boolean | undefined;
}

const keyTable: OptionsOf<KeyOptions> = { allowMissingName: aBoolean };

/**
 * Returns namespace and name of an object with metadata.
 *
 * @throws {ListwatchError} with the code `LW_NO_METADATA` if the object has no metadata, no name
 *   (see {@link KeyOptions.allowMissingName}), or one that is not a string
 */
export function objectName(object: unknown, options?: KeyOptions): ObjectName {
  // An index, as `Array.prototype.map` passes it, is not an option.
  if (typeof options === "object") checkOptions(options, keyTable);
  const metadata = metadataOf(object);
  if (metadata === undefined) {
    throw createNoMetadataError(
      `Cannot read metadata: expected an object with metadata, got ${describeValue(object)}`,
    );
  }
  const name = textOf("name", metadata.name);
  if (name === "" && options?.allowMissingName !== true) {
    throw createNoMetadataError(
      `Cannot read metadata.name: expected a name, got none in ${describeValue(object)}`,
    );
  }
  return { namespace: textOf("namespace", metadata.namespace), name };
}

/** Returns a string member of metadata as Go decodes it: absent and null are "". */
function textOf(member: "name" | "namespace", value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  throw createNoMetadataError(
    `Cannot read metadata.${member}: expected a text, got ${describeValue(value)}`,
  );
}

/**
 * The usual key function: returns `namespace/name`, or `name` for cluster-scoped objects. The key
 * of an {@link ExplicitKey} is returned as it is.
 *
 * @throws {ListwatchError} with the code `LW_NO_METADATA` if the object has no metadata, or no name
 */
export function metaNamespaceKey(object: unknown, options?: KeyOptions): string {
  if (object instanceof ExplicitKey) return object.key;
  const { name, namespace } = objectName(object, options);
  return namespace === "" ? name : `${namespace}/${name}`;
}

/**
 * Same as {@link metaNamespaceKey}, but also takes the key of a tombstone. For delete handlers, and
 * for the cache behind a queue.
 *
 * @throws {ListwatchError} with the code `LW_NO_METADATA` if the object has no metadata, or no name
 */
export function deletionHandlingMetaNamespaceKey(object: unknown, options?: KeyOptions): string {
  if (object instanceof DeletedFinalStateUnknown) return object.key;
  return metaNamespaceKey(object, options);
}

/**
 * Same as {@link objectName}, but also splits the key of a tombstone.
 *
 * @throws {ListwatchError} with the code `LW_NO_METADATA` if the object has no metadata, or no name
 * @throws {ListwatchError} with the code `LW_KEY_FORMAT` if the tombstone's key has more than one
 *   slash
 */
export function deletionHandlingObjectName(object: unknown, options?: KeyOptions): ObjectName {
  if (object instanceof DeletedFinalStateUnknown) return splitMetaNamespaceKey(object.key);
  return objectName(object, options);
}

/**
 * Splits a key into namespace and name: the inverse of {@link metaNamespaceKey}. `"/name"` has an
 * empty namespace.
 *
 * @throws {ListwatchError} with the code `LW_KEY_FORMAT` if the key has more than one slash
 */
export function splitMetaNamespaceKey(key: string): ObjectName {
  const slash = key.indexOf("/");
  if (slash < 0) return { namespace: "", name: key };
  if (key.includes("/", slash + 1)) {
    throw new ListwatchError(
      "LW_KEY_FORMAT",
      `Cannot split the key ${JSON.stringify(key)}: expected "name" or "namespace/name"`,
    );
  }
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
