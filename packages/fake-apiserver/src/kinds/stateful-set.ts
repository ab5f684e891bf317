import { ageColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import {
  selectorDoc,
  templateDoc,
  observedDoc,
  conditionsDoc,
  historyDoc,
  readySecondsDoc,
} from "./workload-docs.ts";
import {
  containersColumn,
  imagesColumn,
  readyColumn,
  workload,
  workloadScale,
} from "./workload.ts";

/** StatefulSet of apps. */
export const statefulSetKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "StatefulSet",
  shortNames: ["sts"],
  scale: workloadScale,
  columns: [readyColumn, ageColumn, containersColumn, imagesColumn],
  docs: {
    "apps.StatefulSet": {
      description:
        "StatefulSet is a set of pods with consistent identities: network names and storage.",
      fields: {
        spec: ["apps.StatefulSetSpec", "The desired identities of the pods."],
        status: ["apps.StatefulSetStatus", "The current state of the pods."],
      },
    },
    "apps.StatefulSetSpec": {
      description: "StatefulSetSpec is the desired behaviour of a stateful set.",
      fields: {
        replicas: ["integer", "Number of desired pods. Defaults to 1."],
        selector: selectorDoc,
        template: templateDoc,
        serviceName: ["string", "The service that governs the network names of the pods."],
        volumeClaimTemplates: ["[]core.PersistentVolumeClaim", "Claims each pod gets one of."],
        podManagementPolicy: ["string", "OrderedReady (default) or Parallel."],
        updateStrategy: ["object", "How pods are updated when the template changes."],
        revisionHistoryLimit: historyDoc,
        minReadySeconds: readySecondsDoc,
        persistentVolumeClaimRetentionPolicy: [
          "object",
          "What happens to claims that are no longer used.",
        ],
        ordinals: ["object", "How the pods are numbered."],
      },
      required: ["selector", "template"],
    },
    "apps.StatefulSetStatus": {
      description: "StatefulSetStatus is the current state of a stateful set.",
      fields: {
        replicas: ["integer", "Number of pods."],
        readyReplicas: ["integer", "Number of ready pods."],
        currentReplicas: ["integer", "Number of pods of the current revision."],
        updatedReplicas: ["integer", "Number of pods of the update's revision."],
        availableReplicas: ["integer", "Number of pods that have been ready for long enough."],
        currentRevision: ["string", "The revision of the pods that are not updated."],
        updateRevision: ["string", "The revision of the pods that are updated."],
        observedGeneration: observedDoc,
        conditions: conditionsDoc,
      },
      required: ["replicas"],
    },
  },
});
