import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { count } from "../../base/read-fields.ts";
import {
  forbidden,
  invalid,
  invalidShown,
  notSupportedShown,
  required,
} from "../../validation/field-errors.ts";
import { checkCountOrPercent, checkMostPercent } from "../../validation/values.ts";
import type { ObjectRules } from "../object-rules.ts";
import { showStruct } from "../pods/internal-form.ts";
import { amountOf, checkNumbers, checkStatus, type StatusCounts } from "./numbers.ts";
import {
  checkLastingTemplate,
  checkSelected,
  checkSelector,
  showSelector,
} from "./selected-template.ts";
import { checkSelectorKept } from "./selector-change.ts";
import { templateWarnings } from "./template-warnings.ts";

/** The rules of Deployments. */
export const deploymentRules: ObjectRules = {
  create: ({ spec }) => checkSpec(recordOf(spec)),
  update: ({ spec }, stored) => [
    ...checkSpec(recordOf(spec)),
    ...checkSelectorKept(recordOf(spec), recordOf(stored["spec"])),
  ],
  status: ({ status }, stored) => checkStatus(counts, recordOf(status), recordOf(stored["status"])),
  warnings: templateWarnings,
};

const counts: StatusCounts = {
  numbers: [
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas",
    "terminatingReplicas",
    "collisionCount",
  ],
  parts: ["updatedReplicas", "readyReplicas", "availableReplicas"],
  ready: "readyReplicas",
};

function checkSpec(spec: JsonObject): readonly FieldError[] {
  const errors = [
    ...checkNumbers("spec", spec, ["replicas", "minReadySeconds", "revisionHistoryLimit"]),
    ...checkReplicatedPods(spec),
    ...checkStrategy("spec.strategy", spec["strategy"]),
  ];
  const { progressDeadlineSeconds } = spec;
  if (typeof progressDeadlineSeconds !== "number") return errors;
  errors.push(...checkNumbers("spec", spec, ["progressDeadlineSeconds"]));
  if (progressDeadlineSeconds <= count(spec, "minReadySeconds")) {
    const problem = "must be greater than minReadySeconds";
    errors.push(invalid("spec.progressDeadlineSeconds", progressDeadlineSeconds, problem));
  }
  return errors;
}

/** The selector and the template of a Deployment or a ReplicaSet; the words are those of both. */
export function checkReplicatedPods(spec: JsonObject): readonly FieldError[] {
  const { selector } = spec;
  const template = recordOf(spec["template"]);
  const field = "spec.selector";
  const errors: FieldError[] = [];
  if (isRecord(selector)) {
    const checked = checkSelector(field, selector, "empty selector is invalid for deployment");
    errors.push(...checked.errors);
    if (!checked.isReadable) {
      return [...errors, invalidShown(field, showSelector(selector), "invalid label selector")];
    }
  } else errors.push(required(field));
  return [
    ...errors,
    ...checkSelected("spec.template", selector, template),
    ...checkLastingTemplate("spec.template", template, "ReplicaSet"),
  ];
}

function checkStrategy(field: string, value: unknown): readonly FieldError[] {
  // A real server has filled in the strategy of a missing spec.
  if (!isRecord(value)) return [];
  const { rollingUpdate, type } = value;
  if (type === "Recreate") {
    if (!isRecord(rollingUpdate)) return [];
    const problem = "may not be specified when strategy `type` is 'Recreate'";
    return [forbidden(`${field}.rollingUpdate`, problem)];
  }
  if (type !== "RollingUpdate") {
    const shown = showStruct(["Type", "RollingUpdate"], value);
    return [notSupportedShown(field, shown, ["Recreate", "RollingUpdate"])];
  }
  const { maxSurge, maxUnavailable } = recordOf(rollingUpdate);
  const at = `${field}.rollingUpdate.maxUnavailable`;
  const errors: FieldError[] = [
    ...checkCountOrPercent(at, maxUnavailable),
    ...checkCountOrPercent(`${field}.rollingUpdate.maxSurge`, maxSurge),
  ];
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    errors.push(invalid(at, maxUnavailable ?? 0, "may not be 0 when `maxSurge` is 0"));
  }
  return [...errors, ...checkMostPercent(at, maxUnavailable)];
}
