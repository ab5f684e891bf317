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
    };

/**
 * Reads the effect of a write from the server's answer; `undefined` if the answer does not show it,
 * as after an eviction or a binding.
 */
export function effectOf(write: CompletedWrite): WriteEffect | undefined {
  return write.verb === "delete" ? effectOfDelete(write) : effectOfStore(write);
}

function effectOfStore({ answer, object, subresource }: CompletedWrite): WriteEffect | undefined {
  const metadata = metadataOf(answer);
  const uid = stringOf(metadata?.uid);
  const version = stringOf(metadata?.resourceVersion);
  if (uid === "" || version === "") return undefined;
  const name = nameOf(metadata, object);
  if (name.name === "") return undefined;
  const isItself = subresource === undefined || subresource === "" || subresource === "status";
  // A Scale has the uid and the version of the object that it belongs to.
  if (!isItself && subresource !== "scale") return undefined;
  return { type: "stored", name, uid, version, object: isItself ? recordOf(answer) : undefined };
}

/**
 * A Status means that the object is gone. An object is the one that waits for its finalizers or for
 * the end of its grace period, or the last state of one that is gone (apiserver
 * `ReturnDeletedObject`, registry/generic/registry/store.go).
 */
function effectOfDelete(write: CompletedWrite): WriteEffect | undefined {
  const answer = recordOf(write.answer);
  const { object, precondition } = write;
  if (answer["kind"] === "Status") {
    const uid = stringOf(recordOf(answer["details"])["uid"]) || (write.uid ?? "");
    return uid === ""
      ? undefined
      : { type: "gone", name: nameOf(undefined, object), uid, version: precondition };
  }
  const metadata = metadataOf(answer);
  const uid = stringOf(metadata?.uid);
  const version = stringOf(metadata?.resourceVersion);
  if (uid === "") return undefined;
  const name = nameOf(metadata, object);
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = recordOf(metadata);
  const hasFinalizers = Array.isArray(finalizers) && finalizers.length > 0;
  const hasTime = typeof deletionGracePeriodSeconds === "number" && deletionGracePeriodSeconds > 0;
  if (typeof deletionTimestamp === "string" && (hasFinalizers || hasTime)) {
    return version === ""
      ? undefined
      : { type: "stored", name, uid, version, object: recordOf(answer) };
  }
  return { type: "gone", name, uid, version: version === "" ? precondition : version };
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
