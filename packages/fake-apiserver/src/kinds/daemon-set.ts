import { field, orNone } from "../base/read-fields.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import {
  selectorDoc,
  templateDoc,
  observedDoc,
  conditionsDoc,
  historyDoc,
  readySecondsDoc,
} from "./workload-docs.ts";
import { containersColumn, counter, imagesColumn, selectorColumn, workload } from "./workload.ts";

/** DaemonSet of apps. */
export const daemonSetKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  shortNames: ["ds"],
  columns: [
    counter(
      "Desired",
      "The total number of nodes that should be running the daemon pod.",
      "status",
      "desiredNumberScheduled",
    ),
    counter(
      "Current",
      "The number of nodes that are running at least 1 daemon pod and are supposed to run the daemon pod.",
      "status",
      "currentNumberScheduled",
    ),
    counter(
      "Ready",
      "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running with a Ready condition.",
      "status",
      "numberReady",
    ),
    counter(
      "Up-to-date",
      "The total number of nodes that are running updated daemon pod.",
      "status",
      "updatedNumberScheduled",
    ),
    counter(
      "Available",
      "The number of nodes that should be running the daemon pod and have one or more of the daemon pod running and available.",
      "status",
      "numberAvailable",
    ),
    builtinColumn(
      "Node Selector",
      "Selector which must match a node's labels for the pod to be scheduled on that node.",
      (object) => orNone(formatLabels(field(object, "spec", "template", "spec", "nodeSelector"))),
    ),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
  docs: {
    "apps.DaemonSet": {
      description: "DaemonSet runs a pod on each node.",
      fields: {
        spec: ["apps.DaemonSetSpec", "The desired behaviour of the daemon set."],
        status: ["apps.DaemonSetStatus", "The current state of the daemon set."],
      },
    },
    "apps.DaemonSetSpec": {
      description: "DaemonSetSpec is the desired behaviour of a daemon set.",
      fields: {
        selector: selectorDoc,
        template: templateDoc,
        updateStrategy: ["object", "How old pods are replaced by new ones."],
        minReadySeconds: readySecondsDoc,
        revisionHistoryLimit: historyDoc,
      },
      required: ["selector", "template"],
    },
    "apps.DaemonSetStatus": {
      description: "DaemonSetStatus is the current state of a daemon set.",
      fields: {
        desiredNumberScheduled: ["integer", "Number of nodes that should run the pod."],
        currentNumberScheduled: ["integer", "Number of nodes that run the pod and should."],
        numberReady: ["integer", "Number of nodes whose pod is ready."],
        numberAvailable: ["integer", "Number of nodes whose pod is available."],
        numberUnavailable: ["integer", "Number of nodes whose pod is not available."],
        numberMisscheduled: ["integer", "Number of nodes that run the pod and should not."],
        updatedNumberScheduled: ["integer", "Number of nodes that run the updated pod."],
        observedGeneration: observedDoc,
        conditions: conditionsDoc,
      },
    },
  },
});
