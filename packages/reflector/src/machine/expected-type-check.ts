import type { KubernetesObject } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import { UnexpectedObjectError } from "./errors.ts";
import type { ExpectedType } from "./reflector-options.ts";
import { type WatchEvent } from "@listwatch/client";
import { isStatus } from "@listwatch/client/base";
import type { ReflectorBehaviour } from "./reflector-behaviour.ts";

/** Whether a type is the Table that servers render for display. */
export function isTable(apiVersion: string | undefined, kind: string | undefined): boolean {
  return (
    kind === "Table" && (apiVersion === "meta.k8s.io/v1" || apiVersion === "meta.k8s.io/v1beta1")
  );
}

/**
 * Tells objects of the watched type from everything else that an event can carry: objects of other
 * types and without metadata are skipped, as by client-go `handleAnyWatch`,
 * tools/cache/reflector.go.
 */
export class ExpectedTypeCheck {
  readonly #expected: ExpectedType | undefined;

  constructor(expected: ExpectedType | undefined) {
    this.#expected = expected;
  }

  /** `undefined` if the object of an event is usable, otherwise what is wrong with it. */
  check(object: KubernetesObject): UnexpectedObjectError | undefined {
    if (!isObject(object)) return new UnexpectedObjectError("an object with metadata", object);
    const { apiVersion, kind } = object;
    const expected = this.#expected;
    if (expected === undefined) {
      if (!isTable(apiVersion, kind)) return undefined;
      return new UnexpectedObjectError("an object of the collection", object);
    }
    if (kind === expected.kind && apiVersion === expected.apiVersion) return undefined;
    return new UnexpectedObjectError(`a ${expected.kind} of ${expected.apiVersion}`, object);
  }
}

/** Whether an event carries an object at all, of whatever type. */
function isObject(object: KubernetesObject): boolean {
  return metadataOf(object) !== undefined && !isStatus(object);
}

/** Recovery after an event whose object cannot be used. */
export function recoveryOf(
  { object, type }: Exclude<WatchEvent<KubernetesObject>, { readonly type: "ERROR" }>,
  { unknownEvent, unusableDeletion }: ReflectorBehaviour,
): "relist" | "skip" {
  switch (type) {
    case "DELETED":
      return unusableDeletion;
    case "BOOKMARK":
      return "skip";
    case "ADDED":
    case "MODIFIED":
    default:
      // Objects of another type do not belong to the collection.
      return isObject(object) ? "skip" : unknownEvent;
  }
}
