import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { each, fill, fillAbsent, within } from "./fill.ts";
import { templateDefaults } from "./pod-spec.ts";
import { claimDefaults } from "./volume.ts";

/** The defaults of the spec of a Deployment. */
export function deploymentDefaults(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    replicas: 1,
    strategy: {},
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  });
  return templateDefaults(within(filled, "strategy", rollingUpdate("25%", "25%")));
}

// A strategy is a rolling update by default.
function rollingUpdate(maxUnavailable: unknown, maxSurge: unknown) {
  return (strategy: JsonObject): JsonObject => {
    const filled = fill(strategy, { type: "RollingUpdate" });
    if (filled["type"] !== "RollingUpdate") {
      // The types of the server have no absent numbers here.
      return within(filled, "rollingUpdate", (given) =>
        fillAbsent(given, { maxUnavailable: 0, maxSurge: 0 }),
      );
    }
    const given = recordOf(filled["rollingUpdate"]);
    return { ...filled, rollingUpdate: fillAbsent(given, { maxUnavailable, maxSurge }) };
  };
}

/** The defaults of the spec of a ReplicaSet. */
export function replicaSetDefaults(spec: JsonObject): JsonObject {
  return templateDefaults(fill(spec, { replicas: 1 }));
}

/** The defaults of the spec of a ReplicationController. */
export function replicationControllerDefaults(spec: JsonObject): JsonObject {
  const filled = templateDefaults(fill(spec, { replicas: 1 }));
  const labels = templateLabels(filled);
  return labels === undefined ? filled : fill(filled, { selector: labels });
}

/** The labels of the template in a spec, undefined if it has none. */
export function templateLabels(spec: JsonObject): JsonObject | undefined {
  const { labels } = recordOf(recordOf(spec["template"])["metadata"]);
  return isRecord(labels) && Object.keys(labels).length > 0 ? labels : undefined;
}

/** The defaults of the spec of a StatefulSet. */
export function statefulSetDefaults(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    replicas: 1,
    podManagementPolicy: "OrderedReady",
    updateStrategy: {},
    revisionHistoryLimit: 10,
    persistentVolumeClaimRetentionPolicy: {},
  });
  const strategies = within(filled, "updateStrategy", (strategy) => {
    // A strategy with a type keeps what it has: pkg/apis/apps/v1/defaults.go.
    const isTyped = strategy["type"] !== undefined && strategy["type"] !== "";
    const typed = isTyped
      ? strategy
      : fillAbsent({ ...strategy, type: "RollingUpdate" }, { rollingUpdate: {} });
    if (typed["type"] !== "RollingUpdate") return typed;
    return within(typed, "rollingUpdate", (given) =>
      fillAbsent(given, { partition: 0, maxUnavailable: 1 }),
    );
  });
  const policies = within(strategies, "persistentVolumeClaimRetentionPolicy", (policy) =>
    fill(policy, { whenDeleted: "Retain", whenScaled: "Retain" }),
  );
  return templateDefaults(each(policies, "volumeClaimTemplates", claimTemplate));
}

function claimTemplate(claim: JsonObject): JsonObject {
  // Other types are not refused: pkg/apis/apps/v1/conversion.go.
  const typed = { ...claim, kind: "PersistentVolumeClaim", apiVersion: "v1" };
  const filled = fill(typed, { status: {} });
  return within(within(filled, "spec", claimDefaults), "status", (status) =>
    fill(status, { phase: "Pending" }),
  );
}

/** The defaults of the spec of a DaemonSet. */
export function daemonSetDefaults(spec: JsonObject): JsonObject {
  const filled = fill(spec, { updateStrategy: {}, revisionHistoryLimit: 10 });
  return templateDefaults(within(filled, "updateStrategy", rollingUpdate(1, 0)));
}

// pkg/apis/batch/v1/defaults.go; without a limit for all, the limit is the greatest int32.
const backoffLimit = 6;
const noBackoffLimit = 2_147_483_647;

/** The defaults of the spec of a Job. */
export function jobDefaults(spec: JsonObject): JsonObject {
  const counts =
    spec["completions"] === undefined && spec["parallelism"] === undefined
      ? { completions: 1, parallelism: 1 }
      : { parallelism: 1 };
  const isPlain = spec["podFailurePolicy"] === undefined;
  const defaults = {
    ...counts,
    backoffLimit: spec["backoffLimitPerIndex"] === undefined ? backoffLimit : noBackoffLimit,
    completionMode: "NonIndexed",
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: isPlain ? "TerminatingOrFailed" : "Failed",
  };
  const filled = fillAbsent(spec, defaults);
  const withPolicy = within(filled, "podFailurePolicy", (policy) =>
    each(policy, "rules", (rule) =>
      each(rule, "onPodConditions", (condition) => fill(condition, { status: "True" })),
    ),
  );
  return templateDefaults(withPolicy);
}

/** The defaults of the spec of a CronJob; its job gets those of its pod template only. */
export function cronJobDefaults(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  return within(filled, "jobTemplate", (template) => within(template, "spec", templateDefaults));
}
