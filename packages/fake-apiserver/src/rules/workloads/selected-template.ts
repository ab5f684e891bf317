import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { goJson } from "../../base/go-text.ts";
import { objects, size, text, texts } from "../../base/read-fields.ts";
import { forbidden, invalid, invalidShown, notSupported } from "../../validation/field-errors.ts";
import { checkLabelSelector } from "../../validation/label-selector.ts";
import { checkPodTemplate } from "../pods/pod-template.ts";

/** Errors of a selector, and whether it can be used. */
export interface CheckedSelector {
  readonly errors: readonly FieldError[];
  /** False for one that the server cannot read. */
  readonly isReadable: boolean;
}

/** A selector of labels; what is empty is refused in these words. */
export function checkSelector(
  field: string,
  selector: JsonObject,
  emptyProblem: string,
): CheckedSelector {
  const errors = checkLabelSelector(field, selector);
  const isReadable = errors.length === 0;
  const isEmpty =
    size(selector, "matchLabels") + objects(selector, "matchExpressions").length === 0;
  if (isEmpty) errors.push(invalidShown(field, showSelector(selector), emptyProblem));
  return { errors, isReadable };
}

/** A selector in the order of its type's fields. */
export function showSelector(selector: unknown): string {
  if (!isRecord(selector)) return "null";
  const { matchLabels } = selector;
  const expressions = objects(selector, "matchExpressions").map(({ key, operator, values }) =>
    JSON.stringify({ key: key ?? "", operator: operator ?? "", values }),
  );
  const members: string[] = [];
  if (size(selector, "matchLabels") > 0) members.push(`"matchLabels":${goJson(matchLabels)}`);
  if (expressions.length > 0) members.push(`"matchExpressions":[${expressions.join(",")}]`);
  return `{${members.join(",")}}`;
}

/** Whether the pods of a template are selected; a missing selector selects none. */
export function selectsTemplate(selector: unknown, template: JsonObject): boolean {
  if (!isRecord(selector)) return false;
  const labels = recordOf(recordOf(template["metadata"])["labels"]);
  const hasAll = Object.entries(recordOf(selector["matchLabels"])).every(
    ([key, value]) => labels[key] === value,
  );
  return hasAll && objects(selector, "matchExpressions").every((one) => meets(one, labels));
}

function meets(expression: JsonObject, labels: JsonObject): boolean {
  const value = labels[text(expression, "key")];
  const values = texts(expression, "values");
  switch (expression["operator"]) {
    case "In":
      return typeof value === "string" && values.includes(value);
    case "NotIn":
      return typeof value !== "string" || !values.includes(value);
    case "Exists":
      return value !== undefined;
    default:
      return value === undefined;
  }
}

/** Labels of a template that its selector does not select. */
export function checkSelected(
  field: string,
  selector: unknown,
  template: JsonObject,
): readonly FieldError[] {
  if (selectsTemplate(selector, template)) return [];
  const { labels } = recordOf(template["metadata"]);
  const problem = "`selector` does not match template `labels`";
  return [invalid(`${field}.metadata.labels`, labels ?? null, problem)];
}

/**
 * The template of a workload whose pods run for ever.
 *
 * @param kind as the server names it
 */
export function checkLastingTemplate(
  field: string,
  template: JsonObject,
  kind: string,
): readonly FieldError[] {
  const spec = recordOf(template["spec"]);
  const errors = [...checkPodTemplate(field, template)];
  const { activeDeadlineSeconds, restartPolicy = "Always" } = spec;
  if (restartPolicy !== "Always") {
    errors.push(notSupported(`${field}.spec.restartPolicy`, restartPolicy, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    const problem = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbidden(`${field}.spec.activeDeadlineSeconds`, problem));
  }
  return errors;
}
