import { checkSynchronous, isRecord, metadataOf, recordOf } from "@listwatch/core-fifo/base";

/** Whether the expected state is reached. The object is `undefined` while it does not exist. */
export interface Condition<T = unknown> {
  (object: T | undefined): boolean;
  /** Words for error messages: "ready". @default "as the condition wants it" */
  readonly description?: string | undefined;
  /**
   * Returns the reason if the condition does not hold and cannot hold any more, such as "its
   * progress deadline is exceeded". A wait then ends with a {@link WaitError}. Called with
   * `undefined` only after the object was deleted.
   *
   * @default the wait continues
   */
  readonly failure?: ((object: T | undefined) => string | undefined) | undefined;
}

/** Adds a description to a condition, and optionally the reasons why it cannot hold any more. */
export function describe<T = unknown>(
  description: string,
  condition: (object: T | undefined) => boolean,
  failure?: (object: T | undefined) => string | undefined,
): Condition<T> {
  return Object.assign((object: T | undefined) => condition(object), { description, failure });
}

/** @throws {TypeError} if the condition returns a promise, which would hold for every object */
export function holds<T>(condition: Condition<T>, object: T | undefined): boolean {
  const answer = condition(object);
  if (typeof answer !== "boolean") checkSynchronous(answer, "true or false");
  return answer;
}

/**
 * Tests the status of one of `status.conditions`: `True`, `False` or `Unknown`. A condition of an
 * older generation of the object does not count.
 *
 * @param type name of the condition, such as `Ready`
 */
export function hasCondition(type: string, status = "True"): Condition {
  return describe(`${type}=${status}`, (object) => {
    const found = conditionsOf(object).find((condition) => condition["type"] === type);
    return found?.["status"] === status && isCurrent(object, found);
  });
}

/** An object of any kind is ready: its condition `Ready` is `True`. */
export const isReady: Condition = describe("ready", hasCondition("Ready"));

/**
 * The object is deleted. An object that was created under the same name since then counts as
 * another one.
 */
export const isDeleted: Condition = describe("deleted", (object) => object === undefined);

/** Returns `status.conditions` of an object; none if it has no status. */
export function conditionsOf(object: unknown): readonly Readonly<Record<string, unknown>>[] {
  const { conditions } = recordOf(recordOf(object)["status"]);
  return Array.isArray(conditions) ? conditions.filter(isRecord) : [];
}

/** Whether status and condition belong to the current generation. */
function isCurrent(object: unknown, condition: Readonly<Record<string, unknown>>): boolean {
  const { generation } = recordOf(metadataOf(object));
  if (typeof generation !== "number") return true;
  const { observedGeneration } = recordOf(recordOf(object)["status"]);
  return [observedGeneration, condition["observedGeneration"]].every(
    (observed) => typeof observed !== "number" || observed >= generation,
  );
}

/** Describes the state of an object in one line, for errors. */
export function describeState(object: unknown): string {
  if (object === undefined) return "it does not exist";
  const { resourceVersion = "unknown" } = recordOf(metadataOf(object));
  const { phase } = recordOf(recordOf(object)["status"]);
  const conditions = conditionsOf(object).map(({ type, status, reason }) => {
    const why = typeof reason === "string" && reason !== "" ? ` (${reason})` : "";
    return `${String(type)}=${String(status)}${why}`;
  });
  const parts = [`resourceVersion ${String(resourceVersion)}`];
  if (typeof phase === "string") parts.push(`phase ${phase}`);
  if (conditions.length > 0) parts.push(conditions.join(", "));
  return parts.join(", ");
}
