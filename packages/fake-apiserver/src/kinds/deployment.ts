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
  counter,
  imagesColumn,
  readyColumn,
  selectorColumn,
  workload,
  workloadScale,
} from "./workload.ts";

/** Deployment of apps. */
export const deploymentKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "Deployment",
  shortNames: ["deploy"],
  scale: workloadScale,
  columns: [
    readyColumn,
    counter(
      "Up-to-date",
      "Total number of non-terminated pods targeted by this deployment that have the desired template spec.",
      "status",
      "updatedReplicas",
    ),
    counter(
      "Available",
      "Total number of available pods (ready for at least minReadySeconds) targeted by this deployment.",
      "status",
      "availableReplicas",
    ),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  docs: {
    "apps.Deployment": {
      description: "Deployment enables declarative updates for pods and ReplicaSets.",
      fields: {
        spec: ["apps.DeploymentSpec", "The desired behaviour of the deployment."],
        status: ["apps.DeploymentStatus", "The most recently observed state of the deployment."],
      },
    },
    "apps.DeploymentSpec": {
      description: "DeploymentSpec is the desired behaviour of a deployment.",
      fields: {
        replicas: ["integer", "Number of desired pods. Defaults to 1."],
        selector: selectorDoc,
        template: templateDoc,
        strategy: ["apps.DeploymentStrategy", "How old pods are replaced by new ones."],
        minReadySeconds: readySecondsDoc,
        revisionHistoryLimit: historyDoc,
        progressDeadlineSeconds: [
          "integer",
          "Seconds without progress after which a deployment has failed. Defaults to 600.",
        ],
        paused: ["boolean", "Whether the deployment is paused."],
      },
      required: ["selector", "template"],
    },
    "apps.DeploymentStrategy": {
      description: "DeploymentStrategy describes how to replace existing pods with new ones.",
      fields: {
        type: ["string", "Recreate or RollingUpdate (default)."],
        rollingUpdate: ["apps.RollingUpdateDeployment", "Parameters of a rolling update."],
      },
    },
    "apps.RollingUpdateDeployment": {
      description: "The limits of a rolling update.",
      fields: {
        maxSurge: ["intOrString", "Pods above the desired number. Defaults to 25%."],
        maxUnavailable: ["intOrString", "Pods that may be unavailable. Defaults to 25%."],
      },
    },
    "apps.DeploymentStatus": {
      description: "DeploymentStatus is the most recently observed state of a deployment.",
      fields: {
        replicas: ["integer", "Total number of pods."],
        updatedReplicas: ["integer", "Number of pods of the desired template."],
        readyReplicas: ["integer", "Number of ready pods."],
        availableReplicas: ["integer", "Number of pods that have been ready for long enough."],
        unavailableReplicas: ["integer", "Number of pods that are missing for full capacity."],
        terminatingReplicas: ["integer", "Number of pods that are terminating."],
        collisionCount: ["integer", "Number of collisions of template hashes."],
        observedGeneration: observedDoc,
        conditions: conditionsDoc,
      },
    },
  },
});
