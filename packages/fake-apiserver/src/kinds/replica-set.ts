import { type Kind, defineKind } from "./define-kind.ts";
import {
  selectorDoc,
  templateDoc,
  observedDoc,
  conditionsDoc,
  readySecondsDoc,
} from "./workload-docs.ts";
import { replicaColumns, selectorColumn, workload, workloadScale } from "./workload.ts";

/** ReplicaSet of apps. */
export const replicaSetKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "ReplicaSet",
  shortNames: ["rs"],
  scale: workloadScale,
  selectableFields: [{ path: "status.replicas", zero: "0" }],
  columns: [...replicaColumns, selectorColumn],
  docs: {
    "apps.ReplicaSet": {
      description: "ReplicaSet ensures that a given number of pods are running at any time.",
      fields: {
        spec: ["apps.ReplicaSetSpec", "The desired behaviour of the replica set."],
        status: ["apps.ReplicaSetStatus", "The most recently observed state. Read-only."],
      },
    },
    "apps.ReplicaSetSpec": {
      description: "ReplicaSetSpec is the desired behaviour of a replica set.",
      fields: {
        replicas: ["integer", "Number of desired pods. Defaults to 1."],
        selector: selectorDoc,
        template: templateDoc,
        minReadySeconds: readySecondsDoc,
      },
      required: ["selector"],
    },
    "apps.ReplicaSetStatus": {
      description: "ReplicaSetStatus is the current state of a replica set.",
      fields: {
        replicas: ["integer", "Number of pods."],
        readyReplicas: ["integer", "Number of ready pods."],
        availableReplicas: ["integer", "Number of pods that have been ready for long enough."],
        fullyLabeledReplicas: ["integer", "Number of pods with all labels of the template."],
        observedGeneration: observedDoc,
        conditions: conditionsDoc,
      },
      required: ["replicas"],
    },
  },
});
