import type { ApiError } from "../api/api-error.ts";
import { forbidden } from "../api/errors.ts";
import type { VersionedKind, VersionedResource } from "./reviewed-write.ts";
import type { MatchCondition } from "./webhook-configuration.ts";

/** Evaluates the expressions of match conditions. */
export interface ConditionEvaluator {
  /**
   * Returns whether a condition holds.
   *
   * @throws {Error} with the message of the evaluation
   */
  holds(expression: string, variables: Readonly<Record<string, unknown>>): boolean;
}

/** The write that conditions are about. */
export interface ConditionalWrite {
  readonly kind: VersionedKind;
  readonly resource: VersionedResource;
  readonly name: string;
  /** `object`, `oldObject` and `request` of the expressions. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Whether the conditions of a webhook let it be called: none is false. An error counts only if none
 * is false; then the failure policy decides. As k8s.io/apiserver
 * pkg/admission/plugin/webhook/matchconditions/matcher.go.
 *
 * @throws {ApiError} 403 for an error, unless failures are ignored
 */
export function meetsConditions(
  conditions: readonly MatchCondition[],
  write: ConditionalWrite,
  evaluator: ConditionEvaluator,
  ignoresFailures: boolean,
): boolean {
  const problems: string[] = [];
  for (const { expression } of conditions) {
    try {
      if (!evaluator.holds(expression, write.variables)) return false;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      problems.push(`expression '${expression}' resulted in error: ${why}`);
    }
  }
  if (problems.length === 0) return true;
  if (ignoresFailures) return false;
  throw refusal(write, problems);
}

function refusal(
  { kind: { kind }, name, resource: { group, resource } }: ConditionalWrite,
  problems: readonly string[],
): ApiError {
  const [first = ""] = problems;
  const why = problems.length === 1 ? first : `[${problems.join(", ")}]`;
  return forbidden({ group, plural: resource, kind }, name, why);
}
