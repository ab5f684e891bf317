import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { objects, text } from "../base/read-fields.ts";
import type { SimulatedPodStatus } from "./pod-hook.ts";

/** Addresses and time of a pod that starts. */
export interface PodStart {
  readonly time: string;
  readonly podIP: string;
  /** "" without a node. */
  readonly hostIP: string;
}

const endedPhases: ReadonlySet<unknown> = new Set(["Succeeded", "Failed"]);

/** Returns the status that the kubelet reports of a pod, with what a hook has changed. */
export function startedStatus(
  pod: ApiObject,
  { hostIP, podIP, time }: PodStart,
  changed: SimulatedPodStatus = {},
): JsonObject {
  const { phase = "Running", conditions: given = [], ...others } = changed;
  const isPending = phase === "Pending";
  const reason = endedPhases.has(phase) ? endReason(phase) : "ContainersNotReady";
  const asReady = (type: string): JsonObject => {
    const isReady = phase === "Running";
    return { type, status: isReady ? "True" : "False", ...(!isReady && { reason }) };
  };
  const usual: readonly JsonObject[] = [
    { type: "PodReadyToStartContainers", status: endedPhases.has(phase) ? "False" : "True" },
    { type: "Initialized", status: "True" },
    asReady("Ready"),
    asReady("ContainersReady"),
    { type: "PodScheduled", status: "True" },
  ];
  const common = {
    lastProbeTime: null,
    lastTransitionTime: time,
    observedGeneration: pod.metadata.generation,
  };
  const conditions: readonly JsonObject[] = [
    ...usual.map((one) => given.find(({ type }) => type === one["type"]) ?? one),
    ...given.filter(({ type }) => !usual.some((one) => one["type"] === type)),
  ].map((condition): JsonObject => Object.assign({}, common, condition));
  const isReady = conditions.some(({ type, status }) => type === "Ready" && status === "True");
  const status = recordOf(pod["status"]);
  return {
    ...status,
    observedGeneration: pod.metadata.generation,
    phase,
    conditions,
    ...(hostIP !== "" && { hostIP, hostIPs: [{ ip: hostIP }] }),
    ...(!isPending && { podIP, podIPs: [{ ip: podIP }] }),
    startTime: text(status, "startTime") || time,
    ...containerStatuses(pod, phase, isReady, time),
    ...others,
  };
}

/** Returns the status of a pod whose containers have ended. */
export function endedStatus(pod: ApiObject, phase: string, time: string): JsonObject {
  const status = recordOf(pod["status"]);
  const reason = endReason(phase);
  const changes: ReadonlyMap<string, JsonObject> = new Map([
    ["PodReadyToStartContainers", { status: "False" }],
    ["Initialized", { reason }],
    ["Ready", { status: "False", reason, lastTransitionTime: time }],
    ["ContainersReady", { status: "False", reason, lastTransitionTime: time }],
  ]);
  const conditions = objects(status, "conditions").map((condition): JsonObject =>
    Object.assign({}, condition, changes.get(text(condition, "type"))),
  );
  return { ...status, phase, conditions, ...containerStatuses(pod, phase, false, time) };
}

function endReason(phase: unknown): string {
  return phase === "Succeeded" ? "PodCompleted" : "PodFailed";
}

function containerStatuses(
  pod: ApiObject,
  phase: string,
  isReady: boolean,
  time: string,
): JsonObject {
  const startedAt = text(pod, "status", "startTime") || time;
  const ended = (exitCode: number): JsonObject => ({
    terminated: {
      exitCode,
      reason: exitCode === 0 ? "Completed" : "Error",
      startedAt,
      finishedAt: time,
    },
  });
  const running = { running: { startedAt } };
  const main =
    phase === "Running"
      ? running
      : endedPhases.has(phase)
        ? ended(phase === "Failed" ? 1 : 0)
        : { waiting: { reason: "ContainerCreating" } };
  const statusOf = (container: JsonObject, state: JsonObject, ready: boolean): JsonObject => ({
    name: container["name"],
    image: container["image"],
    imageID: "waiting" in state ? "" : container["image"],
    ...(!("waiting" in state) && {
      containerID: `fake://${pod.metadata.uid}/${text(container, "name")}`,
    }),
    ready,
    started: "running" in state,
    restartCount: 0,
    state,
  });
  const isSidecar = (container: JsonObject): boolean => container["restartPolicy"] === "Always";
  const init = objects(pod, "spec", "initContainers").map((container) =>
    isSidecar(container)
      ? statusOf(container, main, isReady)
      : statusOf(container, phase === "Pending" ? main : ended(0), phase !== "Pending"),
  );
  return {
    ...(init.length > 0 && { initContainerStatuses: init }),
    containerStatuses: objects(pod, "spec", "containers").map((container) =>
      statusOf(container, main, isReady),
    ),
  };
}
