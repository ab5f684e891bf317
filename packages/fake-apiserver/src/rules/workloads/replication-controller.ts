import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { required } from "../../validation/field-errors.ts";
import type { ObjectRules } from "../object-rules.ts";
import { checkNumbers, checkStatus } from "./numbers.ts";
import { replicaCounts } from "./replica-set.ts";
import { checkLastingTemplate, checkSelected } from "./selected-template.ts";
import { isUnchanged, templateWarnings } from "./template-warnings.ts";

/** The rules of ReplicationControllers, whose selector is a map of labels. */
export const replicationControllerRules: ObjectRules = {
  create: ({ spec }) => checkSpec(recordOf(spec)),
  update: ({ spec }) => checkSpec(recordOf(spec)),
  status: ({ status }) => checkStatus(replicaCounts, recordOf(status), {}),
  // Intended: a real server looks at the old template of a changed one.
  warnings: (object, stored) =>
    isUnchanged(object, stored) ? [] : templateWarnings(stored ?? object, undefined),
};

function checkSpec(spec: JsonObject): readonly FieldError[] {
  const matchLabels = recordOf(spec["selector"]);
  const { template } = spec;
  const errors = [...checkNumbers("spec", spec, ["minReadySeconds", "replicas"])];
  if (Object.keys(matchLabels).length === 0) errors.push(required("spec.selector"));
  if (template === undefined) return [...errors, required("spec.template")];
  return [
    ...errors,
    ...checkSelected("spec.template", { matchLabels }, recordOf(template)),
    ...checkLastingTemplate("spec.template", recordOf(template), "ReplicationController"),
  ];
}
