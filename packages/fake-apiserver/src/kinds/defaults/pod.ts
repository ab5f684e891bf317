import {
  isRecord,
  type JsonObject,
  type MutableJsonObject,
  recordOf,
} from "@listwatch/core-fifo/base";
import { count, objects } from "../../base/read-fields.ts";
import { quantityNanos } from "../../schema/quantity.ts";
import { each, fill, fillAbsent, within } from "./fill.ts";
import { podResourceDefaults } from "./pod-resources.ts";
import { podSpecDefaults } from "./pod-spec.ts";

/** The defaults of the spec of a pod, which has more of them than a template. */
export function podDefaults(spec: JsonObject): JsonObject {
  let filled = podSpecDefaults(fill(spec, { enableServiceLinks: true }));
  // Pods from before negative values were refused: pkg/apis/core/v1/conversion.go.
  if (count(filled, "terminationGracePeriodSeconds") < 0) {
    filled = { ...filled, terminationGracePeriodSeconds: 1 };
  }
  for (const list of ["containers", "initContainers"]) {
    filled = each(filled, list, (container) => within(container, "resources", requestDefaults));
  }
  if (filled["hostNetwork"] === true) filled = withHostPorts(filled);
  return isRecord(filled["resources"]) ? podResourceDefaults(filled) : filled;
}

// In the network of the host, a pod's ports are those of the host. Templates keep theirs
// (pkg/apis/core/v1/defaults.go, `SetDefaults_Pod`).
function withHostPorts(spec: JsonObject): JsonObject {
  let filled = spec;
  for (const list of ["containers", "initContainers"]) {
    filled = each(filled, list, (container) =>
      each(container, "ports", (port) => fill(port, { hostPort: port["containerPort"] })),
    );
  }
  return filled;
}

// A limit without a request is a request, too.
function requestDefaults(resources: JsonObject): JsonObject {
  const { limits, requests } = resources;
  if (!isRecord(limits)) return resources;
  const filled = fill(recordOf(requests), limits);
  return filled === requests ? resources : { ...resources, requests: filled };
}

const evictions = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
// plugin/pkg/admission/defaulttolerationseconds: 5 minutes.
const tolerationSeconds = 300;

/** Adds the tolerations and the default priority that admission sets in a new pod. */
export function admitPod(spec: JsonObject): JsonObject {
  return tolerateEvictions(fill(spec, { priority: 0, preemptionPolicy: "PreemptLowerPriority" }));
}

/** Adds the tolerations that admission sets in a changed pod, and keeps its priority. */
export function admitChangedPod(spec: JsonObject, stored: JsonObject): JsonObject {
  const { preemptionPolicy, priority } = stored;
  return tolerateEvictions(fillAbsent(spec, { priority, preemptionPolicy }));
}

function tolerateEvictions(spec: JsonObject): JsonObject {
  const tolerations = objects(spec, "tolerations");
  const missing = evictions.filter((key) => !tolerations.some((one) => tolerates(one, key)));
  const added = missing.map((key) => ({
    key,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds,
  }));
  return added.length === 0 ? spec : { ...spec, tolerations: [...tolerations, ...added] };
}

function tolerates(toleration: JsonObject, key: string): boolean {
  const { effect = "", key: tolerated = "" } = toleration;
  return (tolerated === key || tolerated === "") && (effect === "NoExecute" || effect === "");
}

/** The status of a new pod. */
export function newPodStatus(spec: JsonObject, now: string): JsonObject {
  const status = { phase: "Pending", qosClass: qosClassOf(spec) };
  if (objects(spec, "schedulingGates").length === 0) return status;
  const condition = {
    type: "PodScheduled",
    status: "False",
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
  return { ...status, conditions: [condition] };
}

const computed = ["cpu", "memory"];

/** The quality of service of a pod: `ComputePodQOS` of pkg/apis/core/v1/helper/qos/qos.go. */
export function qosClassOf(spec: JsonObject): string {
  if (isRecord(spec["resources"])) return qosClassOfWhole(spec["resources"]);
  const containers = [...objects(spec, "containers"), ...objects(spec, "initContainers")];
  let isBestEffort = true;
  let isGuaranteed = containers.length > 0;
  for (const container of containers) {
    const { limits, requests } = recordOf(container["resources"]);
    const wanted = positive(recordOf(requests));
    const most = positive(recordOf(limits));
    if (Object.keys(wanted).length + Object.keys(most).length > 0) isBestEffort = false;
    for (const name of computed) {
      if (most[name] === undefined || most[name] !== wanted[name]) isGuaranteed = false;
    }
  }
  if (isBestEffort) return "BestEffort";
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

// A pod that has resources as a whole; those of its containers do not count.
function qosClassOfWhole({ limits, requests }: JsonObject): string {
  const wanted = positive(recordOf(requests));
  const most = positive(recordOf(limits));
  if (Object.keys(wanted).length + Object.keys(most).length === 0) return "BestEffort";
  const isGuaranteed = computed.every(
    (name) => most[name] !== undefined && most[name] === wanted[name],
  );
  return isGuaranteed ? "Guaranteed" : "Burstable";
}

function positive(quantities: JsonObject): JsonObject {
  const found: MutableJsonObject = {};
  for (const name of computed) {
    const quantity = quantities[name];
    const nanos = typeof quantity === "string" ? quantityNanos(quantity) : undefined;
    if (nanos !== undefined && nanos > 0n) found[name] = nanos;
  }
  return found;
}
