import type { RequestMatch } from "./requests.ts";

/** A fault and the requests that it takes. */
export interface FaultRule<Action> {
  /** Name of the rule in messages. @default its number */
  readonly name?: string | undefined;
  /** Requests that the rule may take. @default every request */
  readonly match?: RequestMatch | undefined;
  /** Choice among the requests that match. @default {} */
  readonly when?: FaultTiming | undefined;
  /** Fault that taken requests get. */
  readonly action: Action;
  /** Number of requests that the rule takes; `Infinity` for all. @default 1 */
  readonly times?: number | undefined;
}

/** Selects among the requests that match a rule. */
export interface FaultTiming {
  /** Only these of the matching requests, counted from 1. @default all */
  readonly nth?: number | readonly number[] | undefined;
  /** Number of matching requests that pass first. @default 0 */
  readonly skip?: number | undefined;
  /** Takes a request with this probability, under the seeded random. @default 1 */
  readonly probability?: number | undefined;
  /** Takes requests only while this returns true; not available over HTTP. @default none */
  readonly condition?: (() => boolean) | undefined;
}

/** A rule that has been set. */
export interface ActiveFault {
  /** Name of the rule in messages. */
  readonly name: string;
  /** Number of requests that matched. */
  readonly matched: number;
  /** Number of requests that the rule took. */
  readonly fired: number;
  /** True once the rule has taken `times` requests; at least one for `Infinity`. */
  readonly consumed: boolean;
  /** Removes the rule, so that it takes no more requests. Faults that have begun continue. */
  remove(): void;
}

/** A list of rules, in the order in which they were set. */
export interface FaultRules<Action> {
  /** Whether no rule is set. */
  readonly isEmpty: boolean;
  /**
   * Sets a rule. Rules are tried in the order in which they were set.
   *
   * @throws {@link ControlInputError} for a rule that could never fire, an action that cannot be
   *   carried out, an unknown field, or a value of a wrong type
   */
  add(rule: FaultRule<Action>): ActiveFault;
  /** The rules that are set, used ones included. */
  list(): readonly ActiveFault[];
  /** Removes every rule. */
  clear(): void;
  /**
   * Checks at the end of a test that all its faults have happened.
   *
   * @throws {@link UnconsumedFaultsError} if a rule has not fired as often as it should
   */
  assertConsumed(): void;
}
