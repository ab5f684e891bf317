import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { VersionConversion } from "../api/resource-definition.ts";
import { field, objects, text } from "../base/read-fields.ts";

/**
 * autoscaling/v1 knows of the metrics only the utilization of the cpu. All else of the stored
 * version is in annotations of its objects (k8s.io/kubernetes pkg/apis/autoscaling/v1,
 * conversion.go).
 */
export const autoscalingV1: VersionConversion = {
  toStored: (object) => (isStoredForm(object) ? object : toStored(object)),
  fromStored: (object) => (isStoredForm(object) ? fromStored(object) : object),
};

const metricsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";
const currentMetricsAnnotation = "autoscaling.alpha.kubernetes.io/current-metrics";
const conditionsAnnotation = "autoscaling.alpha.kubernetes.io/conditions";
const behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior";
const annotationNames: ReadonlySet<string> = new Set([
  metricsAnnotation,
  currentMetricsAnnotation,
  conditionsAnnotation,
  behaviorAnnotation,
]);

/** The fields of both specs, in the order of autoscaling/v1. */
const sharedSpec = ["scaleTargetRef", "minReplicas", "maxReplicas"] as const;
const sharedStatus = [
  "observedGeneration",
  "lastScaleTime",
  "currentReplicas",
  "desiredReplicas",
] as const;

// Defaults give each stored object its metrics.
function isStoredForm(object: JsonObject): boolean {
  return (
    field(object, "spec", "metrics") !== undefined ||
    field(object, "spec", "behavior") !== undefined ||
    field(object, "status", "currentMetrics") !== undefined ||
    field(object, "status", "conditions") !== undefined
  );
}

function fromStored(object: ApiObject): ApiObject {
  const { metadata, spec, status, ...rest } = object;
  const metrics = objects(spec, "metrics");
  const current = objects(status, "currentMetrics");
  const others = metrics.filter((metric) => !isCpuUtilization(metric, "target"));
  const behavior = field(spec, "behavior");
  const conditions = objects(status, "conditions");
  const written: Record<string, string> = {
    ...(others.length > 0 && { [metricsAnnotation]: write(others.map(metricOfV1)) }),
    ...(current.length > 0 && { [currentMetricsAnnotation]: write(current.map(statusOfV1)) }),
    ...(conditions.length > 0 && { [conditionsAnnotation]: write(conditions) }),
    ...(isRecord(behavior) && { [behaviorAnnotation]: write(behaviorToGo(behavior)) }),
  };
  const cpu = metrics.findLast((metric) => isCpuUtilization(metric, "target"));
  const seen = current.findLast((metric) => isCpuUtilization(metric, "current"));
  return {
    ...rest,
    metadata: withAnnotations(metadata, written),
    ...(isRecord(spec) && {
      spec: {
        ...pick(spec, sharedSpec),
        ...given("targetCPUUtilizationPercentage", utilizationOf(cpu, "target")),
      },
    }),
    ...(isRecord(status) && {
      status: {
        currentReplicas: 0,
        desiredReplicas: 0,
        ...pick(status, sharedStatus),
        ...given("currentCPUUtilizationPercentage", utilizationOf(seen, "current")),
      },
    }),
  };
}

function toStored(object: ApiObject): ApiObject {
  const { metadata, spec, status, ...rest } = object;
  const annotations = recordOf(metadata.annotations);
  const metrics = readList(annotations[metricsAnnotation]).map(metricOfV2);
  const target = field(spec, "targetCPUUtilizationPercentage");
  // The one of autoscaling/v1 comes first, in the place of any in the annotation.
  const cpu = typeof target === "number" ? [cpuMetric("target", target)] : [];
  const all = [...cpu, ...metrics];
  const behavior = readValue(annotations[behaviorAnnotation]);
  const currentMetrics = readList(annotations[currentMetricsAnnotation]).map(statusOfV2);
  const seen = field(status, "currentCPUUtilizationPercentage");
  const conditions = readList(annotations[conditionsAnnotation]);
  if (typeof seen === "number" && currentMetrics.length === 0) {
    currentMetrics.push(cpuMetric("current", seen));
  }
  return {
    ...rest,
    metadata: withAnnotations(metadata, {}),
    ...(isRecord(spec) && {
      spec: {
        ...pick(spec, sharedSpec),
        ...(all.length > 0 && { metrics: all }),
        ...(isRecord(behavior) && { behavior: behaviorFromGo(behavior) }),
      },
    }),
    ...(isRecord(status) && {
      status: {
        ...pick(status, sharedStatus),
        currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
        ...(conditions.length > 0 && { conditions }),
      },
    }),
  };
}

function withAnnotations(
  metadata: ApiObject["metadata"],
  written: Readonly<Record<string, string>>,
): ApiObject["metadata"] {
  const { annotations, ...others } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !annotationNames.has(name));
  const all = { ...Object.fromEntries(kept), ...written };
  return Object.keys(all).length === 0 ? others : { ...others, annotations: all };
}

function isCpuUtilization(metric: JsonObject, side: "target" | "current"): boolean {
  return (
    metric["type"] === "Resource" &&
    text(metric, "resource", "name") === "cpu" &&
    utilizationOf(metric, side) !== undefined
  );
}

function utilizationOf(
  metric: JsonObject | undefined,
  side: "target" | "current",
): number | undefined {
  const utilization = field(metric, "resource", side, "averageUtilization");
  return typeof utilization === "number" ? utilization : undefined;
}

function cpuMetric(side: "target" | "current", averageUtilization: number): JsonObject {
  const value = side === "target" ? { type: "Utilization" } : { averageValue: "0" };
  return {
    type: "Resource",
    resource: { name: "cpu", [side]: { ...value, averageUtilization } },
  };
}

// A metric of v2 is named by its `metric`, one of v1 by `metricName`; targets and current values
// are objects there and fields here.
function metricOfV1(metric: JsonObject): JsonObject {
  const { type } = metric;
  const [key, source] = sourceOf(metric);
  const target = recordOf(source["target"]);
  const byName = {
    metricName: text(source, "metric", "name"),
    ...given(
      key === "external" ? "metricSelector" : "selector",
      field(source, "metric", "selector"),
    ),
  };
  const values: Record<string, JsonObject> = {
    object: {
      target: source["describedObject"],
      metricName: byName.metricName,
      targetValue: target["value"] ?? "0",
      ...given("selector", field(source, "metric", "selector")),
      ...given("averageValue", target["averageValue"]),
    },
    pods: {
      metricName: byName.metricName,
      targetAverageValue: target["averageValue"] ?? "0",
      ...given("selector", field(source, "metric", "selector")),
    },
    resource: {
      name: source["name"],
      ...given("targetAverageUtilization", target["averageUtilization"]),
      ...given("targetAverageValue", target["averageValue"]),
    },
    containerResource: {
      name: source["name"],
      ...given("targetAverageUtilization", target["averageUtilization"]),
      ...given("targetAverageValue", target["averageValue"]),
      container: source["container"],
    },
    external: {
      ...byName,
      ...given("targetValue", target["value"]),
      ...given("targetAverageValue", target["averageValue"]),
    },
  };
  return { type, [key]: values[key] ?? source };
}

function metricOfV2(metric: JsonObject): JsonObject {
  const { type } = metric;
  const [key, source] = sourceOf(metric);
  const selector = source[key === "external" ? "metricSelector" : "selector"];
  const named = { metric: { name: text(source, "metricName"), ...given("selector", selector) } };
  const utilization = source["targetAverageUtilization"];
  const average = source["targetAverageValue"];
  const resource = {
    name: source["name"],
    target: {
      type: utilization === undefined ? "AverageValue" : "Utilization",
      ...given("averageUtilization", utilization),
      ...given("averageValue", average),
    },
  };
  const values: Record<string, JsonObject> = {
    object: {
      ...given("describedObject", source["target"]),
      target:
        source["averageValue"] === undefined
          ? { type: "Value", value: source["targetValue"] }
          : { type: "AverageValue", averageValue: source["averageValue"] },
      ...named,
    },
    pods: { ...named, target: { type: "AverageValue", averageValue: average } },
    resource,
    containerResource: { ...resource, container: source["container"] },
    external: {
      ...named,
      target:
        average === undefined
          ? { type: "Value", value: source["targetValue"] }
          : { type: "AverageValue", averageValue: average },
    },
  };
  return { type, [key]: values[key] ?? source };
}

function statusOfV1(metric: JsonObject): JsonObject {
  const { type } = metric;
  const [key, source] = sourceOf(metric);
  const current = recordOf(source["current"]);
  const metricName = text(source, "metric", "name");
  const selector = field(source, "metric", "selector");
  const values: Record<string, JsonObject> = {
    object: {
      target: source["describedObject"],
      metricName,
      currentValue: current["value"] ?? "0",
      ...given("selector", selector),
      ...given("averageValue", current["averageValue"]),
    },
    pods: {
      metricName,
      currentAverageValue: current["averageValue"] ?? "0",
      ...given("selector", selector),
    },
    resource: {
      name: source["name"],
      ...given("currentAverageUtilization", current["averageUtilization"]),
      currentAverageValue: current["averageValue"] ?? "0",
    },
    containerResource: {
      name: source["name"],
      ...given("currentAverageUtilization", current["averageUtilization"]),
      currentAverageValue: current["averageValue"] ?? "0",
      container: source["container"],
    },
    external: {
      metricName,
      ...given("metricSelector", selector),
      currentValue: current["value"] ?? "0",
      ...given("currentAverageValue", current["averageValue"]),
    },
  };
  return { type, [key]: values[key] ?? source };
}

function statusOfV2(metric: JsonObject): JsonObject {
  const { type } = metric;
  const [key, source] = sourceOf(metric);
  const selector = source[key === "external" ? "metricSelector" : "selector"];
  const named = { metric: { name: text(source, "metricName"), ...given("selector", selector) } };
  const current = {
    ...given("averageUtilization", source["currentAverageUtilization"]),
    ...given("averageValue", source["currentAverageValue"] ?? source["averageValue"]),
    ...given("value", source["currentValue"]),
  };
  const values: Record<string, JsonObject> = {
    object: { ...named, current, ...given("describedObject", source["target"]) },
    pods: { ...named, current },
    resource: { name: source["name"], current },
    containerResource: { name: source["name"], current, container: source["container"] },
    external: { ...named, current },
  };
  return { type, [key]: values[key] ?? source };
}

// A metric is in the field that is named like its type: "ContainerResource": "containerResource".
function sourceOf(metric: JsonObject): readonly [key: string, source: JsonObject] {
  const type = text(metric, "type");
  const key = type.charAt(0).toLowerCase() + type.slice(1);
  return [key, recordOf(metric[key])];
}

// The server writes its own type, whose fields have no names in JSON.
function behaviorToGo(behavior: JsonObject): JsonObject {
  return {
    ScaleUp: rulesToGo(behavior["scaleUp"]),
    ScaleDown: rulesToGo(behavior["scaleDown"]),
  };
}

function rulesToGo(rules: unknown): JsonObject | null {
  if (!isRecord(rules)) return null;
  const policies = objects(rules, "policies").map((policy) => ({
    Type: policy["type"],
    Value: policy["value"],
    PeriodSeconds: policy["periodSeconds"],
  }));
  return {
    StabilizationWindowSeconds: rules["stabilizationWindowSeconds"] ?? null,
    SelectPolicy: rules["selectPolicy"] ?? null,
    Policies: policies.length > 0 ? policies : null,
    Tolerance: rules["tolerance"] ?? null,
  };
}

// Go takes the names of fields in either case.
function behaviorFromGo(behavior: JsonObject): JsonObject {
  const { scaledown, scaleup } = lowered(behavior);
  return {
    ...(isRecord(scaleup) && { scaleUp: rulesFromGo(scaleup) }),
    ...(isRecord(scaledown) && { scaleDown: rulesFromGo(scaledown) }),
  };
}

function rulesFromGo(rules: JsonObject): JsonObject {
  const { policies, selectpolicy, stabilizationwindowseconds, tolerance } = lowered(rules);
  const read = Array.isArray(policies) ? policies.filter(isRecord).map(lowered) : [];
  return {
    ...given("stabilizationWindowSeconds", stabilizationwindowseconds),
    ...given("selectPolicy", selectpolicy),
    ...(read.length > 0 && {
      policies: read.map(({ periodseconds, type, value }) => ({
        type,
        value,
        periodSeconds: periodseconds,
      })),
    }),
    ...given("tolerance", tolerance),
  };
}

function lowered(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  const found = names.filter((name) => object[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, object[name]]));
}

function given(name: string, value: unknown): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value };
}

function write(value: unknown): string {
  return JSON.stringify(value);
}

function readValue(value: unknown): unknown {
  if (typeof value !== "string") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function readList(value: unknown): JsonObject[] {
  const list = readValue(value);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
