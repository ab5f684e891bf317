import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { PrinterColumn } from "../api/resource-definition.ts";
import { count, field, flag, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { ageOf } from "./duration.ts";

/** Columns of `kubectl get pods`. */
export const podColumns: readonly PrinterColumn[] = [
  builtinColumn("Ready", ready),
  builtinColumn("Status", podStatus),
  builtinColumn("Restarts", restarts),
  ageColumn,
  builtinColumn(
    "IP",
    (pod) => orNone(text(objects(pod, "status", "podIPs")[0], "ip"), text(pod, "status", "podIP")),
    { wide: true },
  ),
  builtinColumn("Node", (pod) => orNone(text(pod, "spec", "nodeName")), { wide: true }),
  builtinColumn("Nominated Node", (pod) => orNone(text(pod, "status", "nominatedNodeName")), {
    wide: true,
  }),
  builtinColumn("Readiness Gates", readinessGates, { wide: true }),
];

/** Names of the init containers that keep running beside the others (sidecars). */
function sidecarNames(pod: ApiObject): ReadonlySet<string> {
  const containers = objects(pod, "spec", "initContainers");
  const sidecars = containers.filter((one) => text(one, "restartPolicy") === "Always");
  return new Set(sidecars.map((one) => text(one, "name")));
}

function sidecarStatuses(pod: ApiObject): readonly JsonObject[] {
  const names = sidecarNames(pod);
  return objects(pod, "status", "initContainerStatuses").filter((status) =>
    names.has(text(status, "name")),
  );
}

function ready(pod: ApiObject): string {
  const sidecars = objects(pod, "spec", "initContainers").filter(
    (container) => text(container, "restartPolicy") === "Always",
  );
  const total = objects(pod, "spec", "containers").length + sidecars.length;
  const running = objects(pod, "status", "containerStatuses").filter(isReadyAndRunning);
  const runningSidecars = sidecarStatuses(pod).filter(
    (status) => flag(status, "ready") && flag(status, "started"),
  );
  return `${running.length + runningSidecars.length}/${total}`;
}

function isReadyAndRunning(status: JsonObject): boolean {
  return flag(status, "ready") && field(status, "state", "running") !== undefined;
}

/** The status column: a reason from the containers, otherwise the reason or phase of the pod. */
function podStatus(pod: ApiObject): string {
  const initial = orPhase(pod);
  const fromInit = initContainersStatus(pod);
  const status = fromInit ?? containersStatus(pod, initial);
  if (pod.metadata.deletionTimestamp === undefined) return status;
  if (text(pod, "status", "reason") === "NodeLost") return "Unknown";
  return ["Failed", "Succeeded"].includes(text(pod, "status", "phase")) ? status : "Terminating";
}

function orPhase(pod: ApiObject): string {
  const gated = objects(pod, "status", "conditions").some(
    (condition) =>
      text(condition, "type") === "PodScheduled" && text(condition, "reason") === "SchedulingGated",
  );
  if (gated) return "SchedulingGated";
  const reason = text(pod, "status", "reason");
  return reason === "" ? text(pod, "status", "phase") : reason;
}

/** Undefined once all init containers have done their work. */
function initContainersStatus(pod: ApiObject): string | undefined {
  const statuses = objects(pod, "status", "initContainerStatuses");
  const sidecars = sidecarNames(pod);
  for (const [index, status] of statuses.entries()) {
    const terminated = field(status, "state", "terminated");
    if (terminated !== undefined && count(terminated, "exitCode") === 0) continue;
    if (sidecars.has(text(status, "name")) && flag(status, "started")) continue;
    if (terminated !== undefined) return `Init:${terminationReason(terminated)}`;
    const waiting = text(status, "state", "waiting", "reason");
    if (waiting !== "" && waiting !== "PodInitializing") return `Init:${waiting}`;
    return `Init:${index}/${objects(pod, "spec", "initContainers").length}`;
  }
  return undefined;
}

function containersStatus(pod: ApiObject, initial: string): string {
  let status = initial;
  let hasRunning = false;
  // The first container has the last word.
  for (const container of objects(pod, "status", "containerStatuses").toReversed()) {
    const waiting = text(container, "state", "waiting", "reason");
    const terminated = field(container, "state", "terminated");
    if (waiting !== "") status = waiting;
    else if (terminated !== undefined) status = terminationReason(terminated);
    else if (isReadyAndRunning(container)) hasRunning = true;
  }
  if (status !== "Completed" || !hasRunning) return status;
  return trueConditions(pod).has("Ready") ? "Running" : "NotReady";
}

function terminationReason(terminated: unknown): string {
  const reason = text(terminated, "reason");
  if (reason !== "") return reason;
  const signal = count(terminated, "signal");
  return signal === 0 ? `ExitCode:${count(terminated, "exitCode")}` : `Signal:${signal}`;
}

function trueConditions(pod: ApiObject): ReadonlySet<string> {
  const conditions = objects(pod, "status", "conditions");
  const met = conditions.filter((condition) => text(condition, "status") === "True");
  return new Set(met.map((condition) => text(condition, "type")));
}

/** The number of restarts and, if there were any, how long ago the last one was. */
function restarts(pod: ApiObject, now: number): string {
  const statuses = [...objects(pod, "status", "containerStatuses"), ...sidecarStatuses(pod)];
  let total = 0;
  let last = "";
  for (const status of statuses) {
    total += count(status, "restartCount");
    const finished = text(status, "lastState", "terminated", "finishedAt");
    // Timestamps of one form compare like texts.
    if (finished > last) last = finished;
  }
  return total === 0 || last === "" ? String(total) : `${total} (${ageOf(last, now)} ago)`;
}

function readinessGates(pod: ApiObject): string {
  const gates = objects(pod, "spec", "readinessGates");
  if (gates.length === 0) return "<none>";
  const met = trueConditions(pod);
  const passed = gates.filter((gate) => met.has(text(gate, "conditionType")));
  return `${passed.length}/${gates.length}`;
}
