import type { ApiObject } from "../api/api-object.ts";
import { runSteps, type Steps } from "../base/steps.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ResourceWrite } from "./write.ts";

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

/**
 * Returns the stored object that was read, perhaps in another version.
 *
 * @throws {OvertakenError} if it has been changed since then
 */
export function currentOf(store: ResourceStore, read: StoredObject): StoredObject {
  const stored = store.get(read.key);
  if (stored?.revision !== read.revision) throw new OvertakenError();
  return stored;
}

/** Returns a stored object in the version of a request. */
export function* inRequestVersion(
  { converter }: Pick<ResourceWrite, "converter">,
  stored: StoredObject,
): Steps<StoredObject> {
  return converter === undefined ? stored : yield* converter.toServed(stored);
}

/** Returns an object of a request's version as it is stored. */
export function* inStoredVersion(
  { converter }: Pick<ResourceWrite, "converter">,
  object: ApiObject,
): Steps<ApiObject> {
  return converter === undefined ? object : yield* converter.toStored(object);
}
