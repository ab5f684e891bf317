import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import { describe, hasCondition, isReady, type Condition } from "./conditions.ts";

/**
 * A pod is running: its phase is `Running` (`is_pod_running` of kube-rs). Containers may still be
 * starting, see {@link isPodReady}. A pod that has ended does not run again, so the wait fails.
 */
export const isPodRunning: Condition = /* @__PURE__ */ describe(
  "running",
  (pod) => phaseOf(pod) === "Running",
  endOf,
);

/**
 * A pod is running, and its condition `Ready` is `True`. As in `kubectl run` (`podRunningAndReady`,
 * pkg/cmd/run/run.go), the wait fails for a pod that has ended; with {@link isReady} it lasts.
 */
export const isPodReady: Condition = /* @__PURE__ */ describe(
  "running and ready",
  (pod) => isPodRunning(pod) && isReady(pod),
  endOf,
);

/**
 * A job has ended, with success or not: its condition `Complete` or `Failed` is `True`
 * (`IsJobFinished`, pkg/controller/job/util/utils.go of Kubernetes).
 */
export const isJobFinished: Condition = /* @__PURE__ */ describe("finished", (job) =>
  ["Complete", "Failed"].some((type) => hasCondition(type)(job)));

/**
 * A service or an ingress has a load balancer: each point of `status.loadBalancer.ingress` has an
 * address or a host name, and there is one (`is_service_loadbalancer_provisioned` of kube-rs). The
 * wait fails for a service of another type than `LoadBalancer`; in kube-rs it ends with success.
 */
export const hasLoadBalancer: Condition = /* @__PURE__ */ describe(
  "reachable through a load balancer",
  (object) => {
    const { ingress } = recordOf(recordOf(statusOf(object))["loadBalancer"]);
    const points = Array.isArray(ingress) ? ingress.filter(isRecord) : [];
    return points.length > 0 && points.every(({ ip, hostname }) => isText(ip) || isText(hostname));
  },
  (object) => {
    const { type } = recordOf(recordOf(object)["spec"]);
    if (typeof type !== "string" || type === "LoadBalancer") return undefined;
    return `its type is ${type}, expected LoadBalancer`;
  },
);

/**
 * A CustomResourceDefinition is established, so that the server has its resource: its condition
 * `Established` is `True`. {@link ensureDefinition} applies a definition and waits for this.
 */
export const isEstablished: Condition = /* @__PURE__ */ describe("established", (definition) =>
  hasCondition("Established")(definition));

function statusOf(object: unknown): unknown {
  return recordOf(object)["status"];
}

function phaseOf(pod: unknown): unknown {
  return recordOf(statusOf(pod))["phase"];
}

/** The phases `Succeeded` and `Failed` are final (Kubernetes' documentation, "Pod Lifecycle"). */
function endOf(pod: unknown): string | undefined {
  const phase = phaseOf(pod);
  return phase === "Succeeded" || phase === "Failed" ? `it has ended (${phase})` : undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}
