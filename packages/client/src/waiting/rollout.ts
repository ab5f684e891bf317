import { metadataOf, recordOf, stringOf } from "@listwatch/core-fifo/base";
import { conditionsOf, describe, type Condition } from "./conditions.ts";

type Members = Readonly<Record<string, unknown>>;

/** Members of a workload that tell the progress of its rollout. */
interface Workload {
  readonly spec: Members;
  readonly status: Members;
  readonly isObserved: boolean;
  /** The condition `Progressing`, which only deployments have. */
  readonly progressing: Members;
}

/** Whether a rollout is complete; a string is the reason why it cannot be completed. */
type Progress = boolean | string;

/**
 * The rollout of a Deployment, StatefulSet or DaemonSet is complete, by the rules of `kubectl
 * rollout status` (pkg/polymorphichelpers/rollout_status.go):
 *
 * - The controller has seen the current generation.
 * - Deployment: all replicas are updated, no old ones are left, and the updated ones are available.
 * - DaemonSet: all pods are updated and available.
 * - StatefulSet: all pods are ready, and those from the `partition` on are updated. Without
 *   `rollingUpdate`, the current revision is the updated one.
 *
 * Where `kubectl` fails, the wait fails: after the progress deadline of a Deployment, for an update
 * strategy other than `RollingUpdate`, after a deletion, and for other kinds. An object without
 * `kind`, such as an item of a list, is recognised by its spec.
 */
export const isRolledOut: Condition = /* @__PURE__ */ describe(
  "rolled out",
  (object) => progressOf(object) === true,
  (object) => {
    if (object === undefined) return "it was deleted";
    const progress = progressOf(object);
    return typeof progress === "string" ? progress : undefined;
  },
);

function progressOf(object: unknown): Progress {
  if (object === undefined) return false;
  const workload = read(object);
  const kind = kindOf(object, workload.spec);
  switch (kind) {
    case "Deployment":
      return deploymentProgress(workload);
    case "DaemonSet":
      return strategyProblem(workload) ?? daemonSetProgress(workload);
    case "StatefulSet":
      return strategyProblem(workload) ?? statefulSetProgress(workload);
    default:
      return `expected a Deployment, StatefulSet or DaemonSet, got ${kind}`;
  }
}

function deploymentProgress({ isObserved, progressing, spec, status }: Workload): Progress {
  if (!isObserved) return false;
  if (progressing["reason"] === "ProgressDeadlineExceeded") {
    return "its progress deadline is exceeded";
  }
  const updated = count(status["updatedReplicas"]);
  return (
    updated >= count(spec["replicas"]) &&
    count(status["replicas"]) <= updated &&
    count(status["availableReplicas"]) >= updated
  );
}

function daemonSetProgress({ isObserved, status }: Workload): Progress {
  const desired = count(status["desiredNumberScheduled"]);
  return (
    isObserved &&
    count(status["updatedNumberScheduled"]) >= desired &&
    count(status["numberAvailable"]) >= desired
  );
}

function statefulSetProgress({ isObserved, spec, status }: Workload): Progress {
  // A new set has no observed generation, even if its own generation is unknown.
  if (!isObserved || count(status["observedGeneration"]) === 0) return false;
  const { replicas } = spec;
  if (count(status["readyReplicas"]) < count(replicas)) return false;
  const { rollingUpdate } = recordOf(spec["updateStrategy"]);
  if (rollingUpdate === undefined || rollingUpdate === null) {
    return stringOf(status["updateRevision"]) === stringOf(status["currentRevision"]);
  }
  const { partition } = recordOf(rollingUpdate);
  if (typeof replicas !== "number" || typeof partition !== "number") return true;
  return count(status["updatedReplicas"]) >= replicas - partition;
}

function strategyProblem({ spec }: Workload): string | undefined {
  const { type = "" } = recordOf(spec["updateStrategy"]);
  if (type === "RollingUpdate") return undefined;
  return `its update strategy is ${JSON.stringify(type)}, expected "RollingUpdate"`;
}

function read(object: unknown): Workload {
  const { spec, status } = recordOf(object);
  const { generation } = recordOf(metadataOf(object));
  const { observedGeneration } = recordOf(status);
  return {
    spec: recordOf(spec),
    status: recordOf(status),
    isObserved: count(generation) <= count(observedGeneration),
    progressing: conditionsOf(object).find(({ type }) => type === "Progressing") ?? {},
  };
}

/** The kind of a workload; the server writes defaults, so that the spec of each is recognisable. */
function kindOf(object: unknown, spec: Members): string {
  const kind = stringOf(recordOf(object)["kind"]);
  if (kind !== "") return kind;
  if ("strategy" in spec) return "Deployment";
  if (!("updateStrategy" in spec)) return "an object without strategy";
  return "replicas" in spec || "podManagementPolicy" in spec ? "StatefulSet" : "DaemonSet";
}

/** A number of the API, whose absence is 0. */
function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
