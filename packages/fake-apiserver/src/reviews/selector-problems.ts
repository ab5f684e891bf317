import type { JsonObject } from "@listwatch/core-fifo/base";
import { objects, text, texts } from "../base/read-fields.ts";

/**
 * Names the selectors in an access review that an authorizer would ignore: k8s.io/kubernetes
 * pkg/registry/authorization/util/helpers.go, `BuildEvaluationError`. Access does not depend on
 * selectors here, so only their operators are checked.
 */
export function selectorProblems(attributes: JsonObject | undefined): string {
  const problems = ["fieldSelector", "labelSelector"].flatMap((name) => {
    const requirements = objects(attributes ?? {}, name, "requirements");
    const bad = requirements.filter((one) => !isUsable(one));
    if (bad.length === 0) return [];
    const part = bad.length < requirements.length ? "partially " : "";
    return [`spec.resourceAttributes.${name} ${part}ignored due to parse error`];
  });
  return problems.join("; ");
}

function isUsable(requirement: JsonObject): boolean {
  const count = texts(requirement, "values").length;
  const operator = text(requirement, "operator");
  if (operator === "In" || operator === "NotIn") return count > 0;
  return (operator === "Exists" || operator === "DoesNotExist") && count === 0;
}
