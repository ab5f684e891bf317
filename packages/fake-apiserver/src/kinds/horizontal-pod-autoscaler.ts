import type { JsonObject } from "@listwatch/core-fifo/base";
import { workload } from "./workload.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import { count, field, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** HorizontalPodAutoscaler of autoscaling. */
export const horizontalPodAutoscalerKind: Kind = defineKind({
  ...workload,
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  shortNames: ["hpa"],
  generation: false,
  columns: [
    builtinColumn(
      "Reference",
      "The workload that is scaled.",
      (object) =>
        `${text(object, "spec", "scaleTargetRef", "kind")}/${text(object, "spec", "scaleTargetRef", "name")}`,
    ),
    builtinColumn("Targets", "The current and the target value of each metric.", targets),
    builtinColumn("MinPods", "The lower limit for the number of replicas.", (object) => {
      const least = field(object, "spec", "minReplicas");
      return typeof least === "number" ? String(least) : "<unset>";
    }),
    builtinColumn("MaxPods", "The upper limit for the number of replicas.", (object) =>
      count(object, "spec", "maxReplicas"),
    ),
    builtinColumn("Replicas", "The current number of replicas.", (object) =>
      count(object, "status", "currentReplicas"),
    ),
    ageColumn,
  ],
  docs: {
    "autoscaling.HorizontalPodAutoscaler": {
      description:
        "HorizontalPodAutoscaler changes the number of replicas of a workload by metrics.",
      fields: {
        spec: ["autoscaling.HorizontalPodAutoscalerSpec", "The behaviour of the autoscaler."],
        status: ["object", "The current information about the autoscaler."],
      },
    },
    "autoscaling.HorizontalPodAutoscalerSpec": {
      description: "HorizontalPodAutoscalerSpec describes what is scaled, and by what.",
      fields: {
        scaleTargetRef: ["object", "The workload to scale."],
        minReplicas: ["integer", "The least number of replicas. Defaults to 1."],
        maxReplicas: ["integer", "The greatest number of replicas."],
        metrics: ["[]object", "The metrics that decide on the number."],
        behavior: ["object", "How fast is scaled up and down."],
      },
      required: ["scaleTargetRef", "maxReplicas"],
    },
  },
});

function targets(object: ApiObject): string {
  const metrics = objects(object, "spec", "metrics");
  if (metrics.length === 0) return "<none>";
  const current = objects(object, "status", "currentMetrics");
  return metrics.map((metric, index) => target(metric, current[index])).join(", ");
}

/** A metric is identified by the field named like its type ("Resource": "resource"). */
function target(metric: JsonObject, status: JsonObject | undefined): string {
  const type = text(metric, "type");
  const key = type.charAt(0).toLowerCase() + type.slice(1);
  const wanted = field(metric, key, "target");
  const now = field(status, key, "current");
  const name = type === "Resource" ? `${text(metric, key, "name")}: ` : "";
  const utilization = field(wanted, "averageUtilization");
  if (typeof utilization === "number") {
    const seen = field(now, "averageUtilization");
    return `${name}${typeof seen === "number" ? `${seen}%` : "<unknown>"}/${utilization}%`;
  }
  const wantedText = orNone(text(wanted, "averageValue"), text(wanted, "value"));
  const seenText = text(now, "averageValue") || text(now, "value") || "<unknown>";
  return `${name}${seenText}/${wantedText}`;
}
