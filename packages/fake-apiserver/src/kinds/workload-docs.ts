import type { FieldDoc } from "./type-doc.ts";

/** `spec.selector`. */
export const selectorDoc: FieldDoc = [
  "meta.LabelSelector",
  "The pods that belong to it; must match the labels of the template.",
];

/** `spec.template`. */
export const templateDoc: FieldDoc = [
  "core.PodTemplateSpec",
  "Describes the pods that are created.",
];

/** `status.observedGeneration`. */
export const observedDoc: FieldDoc = [
  "integer",
  "The generation the controller has observed most recently.",
];

/** `status.conditions`. */
export const conditionsDoc: FieldDoc = [
  "[]meta.Condition",
  "The latest observations of the current state.",
];

/** `spec.revisionHistoryLimit`. */
export const historyDoc: FieldDoc = ["integer", "Number of old revisions to keep. Defaults to 10."];

/** `spec.minReadySeconds`. */
export const readySecondsDoc: FieldDoc = [
  "integer",
  "Seconds a new pod has to be ready to count as available. Defaults to 0.",
];
