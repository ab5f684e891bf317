import { runSteps, type Steps } from "../base/steps.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** Thrown when another write has changed an object while a write waited for a webhook. */
export class OvertakenError extends Error {
  override readonly name: string = "OvertakenError";

  constructor() {
    super("Another write came between reading and writing the object");
  }
}

/**
 * Runs the part of a request between reading an object and writing it. It takes place in one turn
 * unless webhooks are called. If another write has changed the object by then, everything is
 * repeated with the new state, webhooks included: `GuaranteedUpdate` of k8s.io/apiserver.
 *
 * @param attempt reads what is stored, and writes
 */
export function runWrite<T>(attempt: () => Steps<T>): Promise<T> {
  return runSteps(repeatWrite(attempt));
}

/** As {@link runWrite}, as steps of a larger write. */
export function* repeatWrite<T>(attempt: () => Steps<T>): Steps<T> {
  for (;;) {
    try {
      return yield* attempt();
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error;
    }
  }
}

/** @throws {OvertakenError} if an object that was read is no longer the stored one */
export function checkCurrent(store: ResourceStore, read: StoredObject): void {
  if (store.get(read.key) !== read) throw new OvertakenError();
}
