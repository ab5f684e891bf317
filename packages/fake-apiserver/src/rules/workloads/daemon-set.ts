import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { invalid, notSupportedShown, required } from "../../validation/field-errors.ts";
import { checkCountOrPercent, checkMostPercent } from "../../validation/values.ts";
import type { ObjectRules } from "../object-rules.ts";
import { showStruct } from "../pods/internal-form.ts";
import { amountOf, checkNumbers } from "./numbers.ts";
import { checkLastingTemplate, checkSelected, checkSelector } from "./selected-template.ts";
import { checkSelectorKept } from "./selector-change.ts";
import { templateWarnings } from "./template-warnings.ts";

/** The rules of DaemonSets. */
export const daemonSetRules: ObjectRules = {
  create: ({ spec }) => checkSpec(recordOf(spec)),
  update: ({ spec }, stored) => [
    ...checkSpec(recordOf(spec)),
    ...checkSelectorKept(recordOf(spec), recordOf(stored["spec"])),
  ],
  status: ({ status }) => checkNumbers("status", status, statusNumbers),
  warnings: (set, stored) => templateWarnings(set, stored).filter((text) => !isAboutName(text)),
};

const statusNumbers = [
  "currentNumberScheduled",
  "numberMisscheduled",
  "desiredNumberScheduled",
  "numberReady",
  "observedGeneration",
  "updatedNumberScheduled",
  "numberAvailable",
  "numberUnavailable",
  "collisionCount",
];

// The pods of a DaemonSet are not named by their index, so that no name is too long.
function isAboutName(text: string): boolean {
  return text.startsWith("metadata.name:");
}

function checkSpec(spec: JsonObject): readonly FieldError[] {
  const { selector } = spec;
  const template = recordOf(spec["template"]);
  const checked = isRecord(selector)
    ? checkSelector("spec.selector", selector, "empty selector is invalid for daemonset")
    : { errors: [], isReadable: true };
  return [
    ...checked.errors,
    ...(checked.isReadable ? checkSelected("spec.template", selector, template) : []),
    ...checkLastingTemplate("spec.template", template, "DaemonSet"),
    ...checkNumbers("spec", spec, ["minReadySeconds", "revisionHistoryLimit"]),
    ...checkStrategy("spec.updateStrategy", spec["updateStrategy"]),
  ];
}

function checkStrategy(field: string, value: unknown): readonly FieldError[] {
  // A real server has filled in the strategy of a missing spec.
  if (!isRecord(value)) return [];
  const { rollingUpdate, type } = value;
  if (type === "OnDelete") return [];
  if (type !== "RollingUpdate") {
    const shown = showStruct(["Type", "RollingUpdate"], value);
    return [notSupportedShown(field, shown, ["RollingUpdate", "OnDelete"])];
  }
  const { maxSurge, maxUnavailable } = recordOf(rollingUpdate);
  const unavailableField = `${field}.rollingUpdate.maxUnavailable`;
  const surgeField = `${field}.rollingUpdate.maxSurge`;
  const errors: FieldError[] = [
    ...checkCountOrPercent(unavailableField, maxUnavailable),
    ...checkCountOrPercent(surgeField, maxSurge),
    ...checkMostPercent(unavailableField, maxUnavailable),
    ...checkMostPercent(surgeField, maxSurge),
  ];
  const hasUnavailable = amountOf(maxUnavailable) !== 0;
  const hasSurge = amountOf(maxSurge) !== 0;
  if (hasUnavailable && hasSurge) {
    const problem = "may not be set when maxUnavailable is non-zero";
    errors.push(invalid(surgeField, maxSurge, problem));
  } else if (!hasUnavailable && !hasSurge) {
    errors.push(required(unavailableField, "cannot be 0 when maxSurge is 0"));
  }
  return errors;
}
