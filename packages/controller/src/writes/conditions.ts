import { systemClock, type Clock } from "@listwatch/core-fifo";
import { aClock, checkOptions, isJsonEqual, recordOf } from "@listwatch/core-fifo/base";

/** A condition in the status of an object. */
export interface StatusCondition {
  /** Name of the condition, unique in the object, such as `Ready`. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** Cause of the last change of the status, as one CamelCase word. */
  readonly reason?: string | undefined;
  /** Explanation for people. */
  readonly message?: string | undefined;
  /** `metadata.generation` of the object that the condition describes. */
  readonly observedGeneration?: number | undefined;
  /** Time of the last change of `status`, in RFC 3339, in whole seconds. */
  readonly lastTransitionTime?: string | undefined;
}

/** A condition for {@link setCondition}, which knows the time of the transition. */
export type NewCondition<C extends StatusCondition> = [C] extends [never]
  ? StatusCondition
  : Omit<C, "lastTransitionTime"> & StatusCondition;

/** An element of the result of {@link setCondition}. */
export type Settled<C> = [C] extends [never] ? StatusCondition : C;

/** The type of the conditions of an object, or of a list of conditions. */
export type ConditionOf<T> = T extends readonly (infer C)[]
  ? C
  : T extends {
        readonly status?: { readonly conditions?: readonly (infer C)[] | undefined } | undefined;
      }
    ? C
    : StatusCondition;

/** Options of {@link setCondition}. */
export interface SetConditionOptions {
  /** Source of `lastTransitionTime`. @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Returns the conditions with one added or changed, by the rule of apimachinery
 * (`meta.SetStatusCondition`, pkg/api/meta/conditions.go): `lastTransitionTime` changes only with
 * `status`. Reason, message and observedGeneration become those of the new condition. The order and
 * other conditions stay; a new type is appended. The given array is not changed, and returned if
 * nothing differs.
 *
 * ```ts
 * import { setCondition } from "@listwatch/controller";
 *
 * const ready = { type: "Ready", status: "True", reason: "Deployed", message: "" };
 * const conditions = setCondition([], ready);
 * if (setCondition(conditions, ready) !== conditions) throw new Error("Expected no change");
 * ```
 *
 * @param condition its `lastTransitionTime`, if present, is the time of a change of the status
 * @throws {InvalidOptionsError} if the clock cannot be used
 */
export function setCondition<C extends StatusCondition>(
  conditions: readonly C[] | null | undefined,
  condition: NewCondition<C>,
  options: SetConditionOptions = {},
): readonly Settled<C>[] {
  checkOptions(options, { clock: aClock });
  const { clock = systemClock } = options;
  const present: readonly StatusCondition[] = conditions ?? [];
  const old = present.find(({ type }) => type === condition.type);
  const lastTransitionTime =
    old?.status === condition.status
      ? old.lastTransitionTime
      : (condition.lastTransitionTime ?? timeOf(clock));
  const changed = withoutUndefined({ ...old, ...noDetails, ...condition, lastTransitionTime });
  const result: readonly unknown[] =
    old === undefined ? [...present, changed] : present.map((one) => (one === old ? changed : one));
  // The other conditions are those that were given, and the changed one has the members of `C`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (isJsonEqual(old, changed) ? present : result) as readonly Settled<C>[];
}

/**
 * Finds a condition of an object by its type, also in a list of conditions (`FindStatusCondition`).
 *
 * @param type name of the condition, such as `Ready`
 */
export function conditionOf<T>(object: T, type: string): ConditionOf<T> | undefined {
  const conditions = Array.isArray(object)
    ? object
    : recordOf(recordOf(object)["status"])["conditions"];
  if (!Array.isArray(conditions)) return undefined;
  return conditions.find((condition) => recordOf(condition)["type"] === type);
}

/**
 * Whether a condition of an object is `True` (apimachinery `IsStatusConditionTrue`). Unlike
 * `hasCondition` of the client, it does not compare generations.
 *
 * @param type name of the condition, such as `Ready`
 */
export function isConditionTrue(object: unknown, type: string): boolean {
  return recordOf(conditionOf(object, type))["status"] === "True";
}

/** Details that belong to the new condition only, even if it lacks them. */
const noDetails = { reason: undefined, message: undefined, observedGeneration: undefined };

function withoutUndefined(condition: object): object {
  return Object.fromEntries(Object.entries(condition).filter(([, value]) => value !== undefined));
}

/** Times of the API have whole seconds (`metav1.Time`). */
function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
}
