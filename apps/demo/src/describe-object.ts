import type { KubernetesObject } from "@listwatch/core-fifo";
import { isRecord, resourceVersionOf } from "@listwatch/core-fifo/base";

/**
 * The state of an object in one or two words, as the STATUS column of kubectl has it; for kinds it
 * does not know the resourceVersion.
 */
export function describeState(object: KubernetesObject): string {
  const json: unknown = object;
  const deletion = at(json, "metadata", "deletionTimestamp");
  if (typeof deletion === "string") return "Terminating";
  const phase = at(json, "status", "phase");
  if (typeof phase === "string") {
    return object.kind === "Pod" ? podState(json, phase) : phase;
  }
  const replicas = at(json, "spec", "replicas");
  if (typeof replicas === "number") {
    const ready = at(json, "status", "readyReplicas");
    return `${typeof ready === "number" ? ready : 0}/${replicas} ready`;
  }
  return `rv ${resourceVersionOf(object) ?? ""}`;
}

/** What an update changed: two states, or one when nothing visible did. */
export function describeChange(before: KubernetesObject, after: KubernetesObject): string {
  const states = [describeState(before), describeState(after)];
  if (states[0] !== states[1]) return states.join(" → ");
  const [from, to] = [at(before, "spec", "nodeName"), at(after, "spec", "nodeName")];
  if (from === undefined && typeof to === "string") return `${states[1]} on ${to}`;
  return states[1] ?? "";
}

function podState(pod: unknown, phase: string): string {
  const containers = at(pod, "status", "containerStatuses");
  if (!Array.isArray(containers)) return phase;
  for (const container of containers as unknown[]) {
    for (const state of ["waiting", "terminated"]) {
      const reason = at(container, "state", state, "reason");
      if (typeof reason === "string") return reason;
    }
  }
  return phase;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((current, key) => {
    return isRecord(current) ? current[key] : undefined;
  }, value);
}
