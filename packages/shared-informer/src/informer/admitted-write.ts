import type { CompletedWrite } from "@listwatch/client";
import type { Cached, ObjectMeta } from "@listwatch/core-fifo";
import { metadataOf, recordOf, stringOf } from "@listwatch/core-fifo/base";

/** The part of a write that a cache will contain once it has caught up. */
export interface AdmittedWrite<T> {
  /** Key of the object in the cache. */
  readonly key: string;
  /**
   * The state that the cache will show; `"none"` if it will not contain the object, `"unknown"` if
   * the answer has another form than the cache.
   */
  readonly content: Cached<T> | "none" | "unknown";
  /** Whether the object is in the part of the collection that the cache holds. */
  readonly isHeld: boolean;
}

/** Names the object of a write whose content does not matter. */
export interface WrittenName {
  /** Name of the object. */
  readonly name: string;
  /** Namespace of the object; "" if it is in none. */
  readonly namespace: string;
}

/** Effect of a write, as far as its answer shows it. */
export type WriteEffect =
  /** The object has this state. `object` is absent if the answer is of another kind. */
  | {
      readonly type: "stored";
      readonly name: WrittenName;
      /** Uid of the object. */
      readonly uid: string;
      /** The resourceVersion of the write. */
      readonly version: string;
      /** The object as the server answered it; `undefined` if the answer is of another kind. */
      readonly object: object | undefined;
    }
  /** The object with this uid is gone. */
  | {
      readonly type: "gone";
      readonly name: WrittenName;
      /** Uid of the deleted object. */
      readonly uid: string;
      /** A version that the object had before its deletion, or that of the deletion. */
      readonly version: string | undefined;
      /** The last state of the object; `undefined` if the answer does not contain it. */
      readonly object: object | undefined;
    };

/**
 * Reads the effect of a write from the server's answer; `undefined` if the answer does not show it,
 * as after an eviction or a binding.
 */
export function effectOf(write: CompletedWrite): WriteEffect | undefined {
  const { object, precondition, resource, subresource, verb } = write;
  const answer = recordOf(write.answer);
  if (answer["kind"] === "Status") {
    const uid = stringOf(recordOf(answer["details"])["uid"]) || (write.uid ?? "");
    if (verb !== "delete" || uid === "") return undefined;
    const name = nameOf(undefined, object);
    return { type: "gone", name, uid, version: precondition, object: undefined };
  }
  const metadata = metadataOf(answer);
  const uid = stringOf(metadata?.uid);
  const version = stringOf(metadata?.resourceVersion);
  const name = nameOf(metadata, object);
  if (uid === "" || name.name === "") return undefined;
  // Some subresources answer with another kind.
  const isItself =
    subresource === undefined || subresource === "status" || answer["kind"] === resource.kind;
  if (isItself && isGone(write, answer)) {
    return { type: "gone", name, uid, version: version || precondition, object: answer };
  }
  // A Scale has the uid and the version of the object that it belongs to.
  if (version === "" || (!isItself && subresource !== "scale")) return undefined;
  return { type: "stored", name, uid, version, object: isItself ? answer : undefined };
}

/**
 * Whether the write has removed the object, of which the answer is the last state: a delete, or the
 * removal of the last finalizer, which leaves the former resourceVersion in the answer (apiserver
 * `ShouldDeleteDuringUpdate`, `ReturnDeletedObject`, registry/generic/registry/store.go). A deleted
 * object stays while it has finalizers or time to stop.
 */
function isGone(
  { resource, verb }: CompletedWrite,
  answer: Readonly<Record<string, unknown>>,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = recordOf(
    answer["metadata"],
  );
  if (typeof deletionTimestamp !== "string") return verb === "delete";
  if (Number(deletionGracePeriodSeconds) > 0 || hasItems(finalizers)) return false;
  // A namespace has finalizers in its spec, too, and is empty when the last one is removed.
  return resource.resource !== "namespaces" || !hasItems(recordOf(answer["spec"])["finalizers"]);
}

function hasItems(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

function nameOf(
  metadata: ObjectMeta | undefined,
  { name, namespace }: CompletedWrite["object"],
): WrittenName {
  return {
    name: stringOf(metadata?.name) || name,
    namespace: stringOf(metadata?.namespace) || (namespace ?? ""),
  };
}
