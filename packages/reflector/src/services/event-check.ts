import type { WatchEvent } from "@listwatch/client";
import { isStatus } from "@listwatch/client/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import type { Settings } from "../options/settings.ts";
import { UnexpectedObjectError } from "./errors.ts";

/** An event that cannot be used. */
export interface Refusal {
  readonly error: UnexpectedObjectError;
  /** Something may have changed that only a list shows. */
  readonly recovery: "relist" | "skip";
}

/** An event with an object, or with what should be one. */
export type ObjectEvent<T> = Exclude<WatchEvent<T>, { readonly type: "ERROR" }>;

type CheckSettings = Pick<Settings<never>, "expectedType"> & {
  readonly behaviour: Pick<Settings<never>["behaviour"], "unknownEvent" | "unusableDeletion">;
};

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
export class EventCheck {
  /** Recovery after a DELETED event whose object cannot be used. */
  readonly unusableDeletion: Refusal["recovery"];
  readonly #unknownEvent: Refusal["recovery"];
  readonly #expected: CheckSettings["expectedType"];

  constructor({ behaviour, expectedType }: CheckSettings) {
    this.unusableDeletion = behaviour.unusableDeletion;
    this.#unknownEvent = behaviour.unknownEvent;
    this.#expected = expectedType;
  }

  /** `undefined` if the object of an event is usable. */
  check(event: ObjectEvent<KubernetesObject>): Refusal | undefined {
    const { object } = event;
    const expected = this.#expect(object);
    if (expected === undefined) return undefined;
    const error = new UnexpectedObjectError(expected, object);
    return { error, recovery: this.#recoveryOf(event) };
  }

  /** The refusal of an event whose type is unknown: it does not say what has changed. */
  refuseType(event: unknown): Refusal {
    const error = new UnexpectedObjectError("an event of a known type", event);
    return { error, recovery: this.#unknownEvent };
  }

  /** Describes what was expected instead of an object; `undefined` if it is usable. */
  #expect(object: KubernetesObject): string | undefined {
    if (!isObject(object)) return "an object with metadata";
    const { apiVersion, kind } = object;
    const expected = this.#expected;
    if (expected === undefined) {
      return isTable(apiVersion, kind) ? "an object of the collection" : undefined;
    }
    if (kind === expected.kind && apiVersion === expected.apiVersion) return undefined;
    return `a ${expected.kind} of ${expected.apiVersion}`;
  }

  #recoveryOf({ object, type }: ObjectEvent<KubernetesObject>): Refusal["recovery"] {
    switch (type) {
      case "DELETED":
        return this.unusableDeletion;
      case "BOOKMARK":
        return "skip";
      case "ADDED":
      case "MODIFIED":
      default:
        // Objects of another type do not belong to the collection.
        return isObject(object) ? "skip" : this.#unknownEvent;
    }
  }
}

/** Whether an event carries an object at all, of whatever type. */
function isObject(object: KubernetesObject): boolean {
  return metadataOf(object) !== undefined && !isStatus(object);
}
