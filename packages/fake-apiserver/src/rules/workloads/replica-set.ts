import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import type { ObjectRules } from "../object-rules.ts";
import { checkReplicatedPods } from "./deployment.ts";
import { checkNumbers, checkStatus, type StatusCounts } from "./numbers.ts";
import { checkSelectorKept } from "./selector-change.ts";
import { templateWarnings } from "./template-warnings.ts";

/** The rules of ReplicaSets. */
export const replicaSetRules: ObjectRules = {
  create: ({ spec }) => checkSpec(recordOf(spec)),
  update: ({ spec }, stored) => [
    ...checkSpec(recordOf(spec)),
    ...checkSelectorKept(recordOf(spec), recordOf(stored["spec"])),
  ],
  status: ({ status }) => checkStatus(replicaCounts, recordOf(status), {}),
  warnings: templateWarnings,
};

/** Numbers in the status of ReplicaSets and ReplicationControllers. */
export const replicaCounts: StatusCounts = {
  numbers: [
    "replicas",
    "fullyLabeledReplicas",
    "readyReplicas",
    "availableReplicas",
    "terminatingReplicas",
    "observedGeneration",
  ],
  parts: ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"],
  ready: "readyReplicas",
};

function checkSpec(spec: JsonObject): readonly FieldError[] {
  return [
    ...checkNumbers("spec", spec, ["replicas", "minReadySeconds"]),
    ...checkReplicatedPods(spec),
  ];
}
