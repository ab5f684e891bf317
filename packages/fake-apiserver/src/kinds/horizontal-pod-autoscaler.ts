import { autoscalingV1 } from "./horizontal-pod-autoscaler-v1.ts";
import { autoscalerRules } from "../rules/autoscaler.ts";
import { fill, fillAbsent, specDefaults, within } from "./defaults/fill.ts";
import type { JsonObject } from "@listwatch/core-fifo/base";
import { workload } from "./workload.ts";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** HorizontalPodAutoscaler of autoscaling. */
export const horizontalPodAutoscalerKind: Kind = defineKind({
  ...workload,
  group: "autoscaling",
  version: "v2",
  otherVersions: [{ version: "v1", conversion: autoscalingV1 }],
  kind: "HorizontalPodAutoscaler",
  rules: autoscalerRules,
  defaults: specDefaults(autoscalerDefaults),
  shortNames: ["hpa"],
  columns: [
    builtinColumn(
      "Reference",
      (object) =>
        `${text(object, "spec", "scaleTargetRef", "kind")}/${text(object, "spec", "scaleTargetRef", "name")}`,
    ),
    builtinColumn("Targets", targets),
    builtinColumn("MinPods", (object) => {
      const least = field(object, "spec", "minReplicas");
      return typeof least === "number" ? String(least) : "<unset>";
    }),
    builtinColumn("MaxPods", (object) => count(object, "spec", "maxReplicas")),
    builtinColumn("Replicas", (object) => count(object, "status", "currentReplicas")),
    ageColumn,
  ],
});

// k8s.io/kubernetes pkg/printers, `formatHPAMetrics`.
const mostShown = 2;

function targets(object: ApiObject): string {
  const metrics = objects(object, "spec", "metrics");
  if (metrics.length === 0) return "<none>";
  const current = objects(object, "status", "currentMetrics");
  const shown = metrics.slice(0, mostShown).map((metric, index) => target(metric, current[index]));
  const more = metrics.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` + ${more} more...` : ""}`;
}

/** A metric is identified by the field named like its type ("Resource": "resource"). */
function target(metric: JsonObject, status: JsonObject | undefined): string {
  const type = text(metric, "type");
  const key = type.charAt(0).toLowerCase() + type.slice(1);
  const wanted = field(metric, key, "target");
  const now = field(status, key, "current");
  const name = type.endsWith("Resource") ? `${text(metric, key, "name")}: ` : "";
  const utilization = field(wanted, "averageUtilization");
  if (typeof utilization === "number") {
    const seen = field(now, "averageUtilization");
    return `${name}${typeof seen === "number" ? `${seen}%` : "<unknown>"}/${utilization}%`;
  }
  const average = text(wanted, "averageValue");
  if (type === "External" || type === "Object") {
    const [member, suffix] =
      average === "" ? (["value", ""] as const) : (["averageValue", " (avg)"] as const);
    return `${text(now, member) || "<unknown>"}/${text(wanted, member)}${suffix}`;
  }
  if (average === "") return `${name}<unknown>/<auto>`;
  return `${name}${text(now, "averageValue") || "<unknown>"}/${average}`;
}

const cpuMetric = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
};
const percentPolicy = { type: "Percent", value: 100, periodSeconds: 15 };
const podsPolicy = { type: "Pods", value: 4, periodSeconds: 15 };

/** The defaults of the spec of a HorizontalPodAutoscaler. */
function autoscalerDefaults(spec: JsonObject): JsonObject {
  const filled = fill(spec, { minReplicas: 1, metrics: [cpuMetric] });
  return within(filled, "behavior", (behavior) => {
    const both = fill(behavior, { scaleUp: {}, scaleDown: {} });
    const up = within(both, "scaleUp", (rules) =>
      fillAbsent(rules, {
        stabilizationWindowSeconds: 0,
        selectPolicy: "Max",
        policies: [podsPolicy, percentPolicy],
      }),
    );
    return within(up, "scaleDown", (rules) =>
      fillAbsent(rules, { selectPolicy: "Max", policies: [percentPolicy] }),
    );
  });
}
