import { describeValue, isRecord } from "@listwatch/core-fifo/base";
import { LabelRequirement } from "./label-requirement.ts";
import { LabelSelector } from "./label-selector.ts";
import type { LabelOperator, Labels } from "./label-test.ts";
import { InvalidRequirementError } from "./selector-errors.ts";

/** One of the `matchExpressions` of a {@link LabelSelectorObject}. */
export interface LabelExpression {
  /** Name of the label. */
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  /** At least one for `In` and `NotIn`, none for the others. */
  readonly values?: readonly string[] | undefined;
}

/** A label selector as a member of an object, such as `spec.selector` of a Deployment. */
export interface LabelSelectorObject {
  /** Labels with their required values. An object must have all of them. */
  readonly matchLabels?: Labels | undefined;
  /** Further conditions. An object must satisfy all of them. */
  readonly matchExpressions?: readonly LabelExpression[] | undefined;
}

// Matches no labels. A server gets a selector as a string, in which "nothing" has no other form.
const nothing = "nothing,!nothing";

const operators: ReadonlyMap<unknown, LabelOperator> = /* @__PURE__ */ new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
] as const);

/**
 * Returns the string for a selector object, for `labelSelector` of informers, listers, lists and
 * deletions (apimachinery `LabelSelectorAsSelector`, pkg/apis/meta/v1/helpers.go). An empty object
 * selects everything. `null` and `undefined` select nothing, also on a server.
 *
 * ```ts
 * import { labelSelectorOf } from "@listwatch/store-indexer";
 *
 * const selector = {
 *   matchLabels: { app: "web" },
 *   matchExpressions: [{ key: "canary", operator: "DoesNotExist" }],
 * };
 * if (labelSelectorOf(selector) !== "app=web,!canary") throw new Error("Unexpected string");
 * ```
 *
 * @throws {InvalidRequirementError} if a key, an operator or a value is invalid, or the object has
 *   other members, such as the plain labels that a Service selects
 */
export function labelSelectorOf(selector: LabelSelectorObject | null | undefined): string {
  if (selector === undefined || selector === null) return nothing;
  checkMembers(selector);
  const { matchExpressions, matchLabels } = selector;
  return LabelSelector.of(
    ...Object.entries(matchLabels ?? {}).map(([key, value]) => createEquality(key, value)),
    ...(matchExpressions ?? []).map(createRequirement),
  ).toString();
}

function createEquality(key: string, value: string): LabelRequirement {
  checkValue(value);
  return new LabelRequirement(key, "=", [value]);
}

function createRequirement({ key, operator, values }: LabelExpression): LabelRequirement {
  const known = operators.get(operator);
  if (known === undefined) {
    const expected = [...operators.keys()].join(", ");
    const problem = `expected one of the operators ${expected}, got ${describeValue(operator)}`;
    throw new InvalidRequirementError("operator", problem);
  }
  if (typeof key !== "string") {
    throw new InvalidRequirementError("key", `expected a string, got ${describeValue(key)}`);
  }
  for (const value of values ?? []) checkValue(value);
  return new LabelRequirement(key, known, values ?? []);
}

/** A mistyped member, or a plain map of labels, would select everything. */
function checkMembers(selector: object): void {
  const names = isRecord(selector) ? Object.keys(selector) : [describeValue(selector)];
  const wrong = names.find((name) => name !== "matchLabels" && name !== "matchExpressions");
  if (wrong === undefined) return;
  const problem = `expected a selector object with matchLabels and matchExpressions, got ${wrong}`;
  throw new InvalidRequirementError("key", problem);
}

/** Values may come from YAML, where `true` and `1` are not strings. */
function checkValue(value: unknown): void {
  if (typeof value === "string") return;
  throw new InvalidRequirementError("value", `expected a string, got ${describeValue(value)}`);
}
