import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { count, objects, text } from "../base/read-fields.ts";
import { forbidden, invalid, notSupported, required } from "../validation/field-errors.ts";
import { checkLabelSelector } from "../validation/label-selector.ts";
import { checkDnsLabel, checkPathSegment } from "../validation/names.ts";
import {
  checkChoice,
  checkLeast,
  checkListed,
  checkNotNegative,
  checkText,
} from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkContainerResource } from "./pods/resources.ts";
import { checkQuantity, nanosOf } from "./quantities.ts";

/** Rules for HorizontalPodAutoscalers. */
export const autoscalerRules: ObjectRules = rulesOf(
  (autoscaler) => checkAutoscaler(recordOf(autoscaler["spec"])),
  {
    status: (autoscaler) =>
      ["currentReplicas", "desiredReplicas"].flatMap((name) =>
        checkNotNegative(`status.${name}`, recordOf(autoscaler["status"])[name]),
      ),
  },
);

function checkAutoscaler(spec: JsonObject): readonly FieldError[] {
  const { minReplicas } = spec;
  const maxReplicas = count(spec, "maxReplicas");
  const errors = checkNotNegative("spec.minReplicas", minReplicas);
  const field = "spec.maxReplicas";
  if (maxReplicas === 0) errors.push(required(field, "must be set and greater than 0"));
  if (typeof minReplicas === "number" && maxReplicas < minReplicas) {
    errors.push(invalid(field, maxReplicas, "must be greater than or equal to `minReplicas`"));
  }
  errors.push(...checkReference("spec.scaleTargetRef", recordOf(spec["scaleTargetRef"])));
  for (const [index, metric] of objects(spec, "metrics").entries()) {
    errors.push(...checkMetric(`spec.metrics[${index}]`, metric));
  }
  const types = objects(spec, "metrics").map(({ type }) => type);
  if (minReplicas === 0 && !types.includes("Object") && !types.includes("External")) {
    const problem =
      "must specify at least one Object or External metric to support scaling to zero replicas";
    errors.push(forbidden("spec.metrics", problem));
  }
  const behavior = recordOf(spec["behavior"]);
  for (const name of ["scaleUp", "scaleDown"]) {
    if (!isRecord(behavior[name])) continue;
    errors.push(...checkScalingRules(`spec.behavior.${name}`, recordOf(behavior[name])));
  }
  return errors;
}

function checkReference(
  field: string,
  reference: JsonObject,
  group: "needed" | "optional" = "needed",
): readonly FieldError[] {
  const errors = ["kind", "name"].flatMap((name) => {
    const value = text(reference, name);
    const at = `${field}.${name}`;
    return value === "" ? [required(at)] : checkText(at, value, checkPathSegment);
  });
  const apiVersion = text(reference, "apiVersion");
  if (apiVersion.split("/").length > 2) {
    const problem = `unexpected GroupVersion string: ${apiVersion}`;
    errors.push(invalid(`${field}.apiVersion`, apiVersion, problem));
  } else if (group === "needed" && !apiVersion.includes("/")) {
    const problem = "apiVersion must specify API group";
    errors.push(invalid(`${field}.apiVersion`, apiVersion, problem));
  }
  return errors;
}

// Fields by metric type.
const metricFields: ReadonlyMap<string, string> = new Map([
  ["ContainerResource", "containerResource"],
  ["External", "external"],
  ["Object", "object"],
  ["Pods", "pods"],
  ["Resource", "resource"],
]);

function checkMetric(field: string, metric: JsonObject): readonly FieldError[] {
  const type = text(metric, "type");
  const present = [...metricFields.values()].filter((name) => isRecord(metric[name]));
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(`${field}.type`, "must specify a metric source type"));
  const expected = metricFields.get(type);
  if (expected === undefined) {
    errors.push(notSupported(`${field}.type`, type, [...metricFields.keys()]));
  }
  const [only] = present;
  if (present.length === 1 && only !== undefined) {
    errors.push(...checkSource(`${field}.${only}`, only, recordOf(metric[only])));
  }
  if (expected === undefined) return errors;
  if (!present.includes(expected)) {
    const detail = "must populate information for the given metric source";
    errors.push(required(`${field}.${expected}`, detail));
  }
  const others = present.length === 1 ? [] : present.filter((name) => name !== expected);
  for (const name of others) {
    errors.push(forbidden(`${field}.${name}`, "must populate the given metric source only"));
  }
  return errors;
}

function checkSource(field: string, name: string, source: JsonObject): readonly FieldError[] {
  const target = recordOf(source["target"]);
  const errors = [...checkTarget(`${field}.target`, target)];
  if (name === "resource" || name === "containerResource") {
    if (text(source, "name") === "") {
      errors.push(required(`${field}.name`, "must specify a resource name"));
    }
    if (name === "containerResource") errors.push(...checkContainerSource(field, source));
    return [...errors, ...checkResourceTarget(`${field}.target`, target)];
  }
  if (name === "object") {
    const described = recordOf(source["describedObject"]);
    errors.push(...checkReference(`${field}.describedObject`, described, "optional"));
  }
  const metric = recordOf(source["metric"]);
  const metricName = text(metric, "name");
  const at = `${field}.metric.name`;
  if (metricName === "") errors.push(required(at, "must specify a metric name"));
  else errors.push(...checkText(at, metricName, checkPathSegment));
  errors.push(...checkLabelSelector(`${field}.metric.selector`, metric["selector"]));
  return [...errors, ...checkMetricTarget(`${field}.target`, name, target)];
}

function checkContainerSource(field: string, source: JsonObject): readonly FieldError[] {
  const name = text(source, "name");
  const container = text(source, "container");
  const errors = name === "" ? [] : checkContainerResource(`${field}.name`, name);
  if (container !== "") {
    return [...errors, ...checkText(`${field}.container`, container, checkDnsLabel)];
  }
  return [...errors, required(`${field}.container`, "must specify a container")];
}

function checkResourceTarget(field: string, target: JsonObject): readonly FieldError[] {
  const hasShare = target["averageUtilization"] !== undefined;
  const hasValue = target["averageValue"] !== undefined;
  if (hasShare !== hasValue) return [];
  if (hasShare) {
    const detail = "may not set both a target raw value and a target utilization";
    return [forbidden(`${field}.averageValue`, detail)];
  }
  const detail = "must set either a target raw value or a target utilization";
  return [required(`${field}.averageUtilization`, detail)];
}

function checkMetricTarget(field: string, name: string, target: JsonObject): readonly FieldError[] {
  const hasValue = target["value"] !== undefined;
  const hasAverage = target["averageValue"] !== undefined;
  if (name === "pods") {
    const detail = "must specify a positive target averageValue";
    return hasAverage ? [] : [required(`${field}.averageValue`, detail)];
  }
  if (!hasValue && !hasAverage) {
    const detail =
      name === "object"
        ? "must set either a target value or averageValue"
        : "must set either a target value for metric or a per-pod target";
    return [required(`${field}.averageValue`, detail)];
  }
  if (name === "object" || hasValue !== hasAverage) return [];
  const detail = "may not set both a target value for metric and a per-pod target";
  return [forbidden(`${field}.value`, detail)];
}

function checkTarget(field: string, target: JsonObject): readonly FieldError[] {
  const type = text(target, "type");
  const errors: FieldError[] = [];
  if (type === "") errors.push(required(`${field}.type`, "must specify a metric target type"));
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    const problem = "must be either Utilization, Value, or AverageValue";
    errors.push(invalid(`${field}.type`, type, problem));
  }
  for (const name of ["value", "averageValue"]) {
    const quantity = target[name];
    if (quantity === undefined || nanosOf(quantity) > 0n) continue;
    errors.push(invalid(`${field}.${name}`, quantity, "must be positive"));
  }
  const share = target["averageUtilization"];
  const at = `${field}.averageUtilization`;
  return [...errors, ...checkLeast(at, share, 1, "must be greater than 0")];
}

// pkg/apis/autoscaling/validation: `MaxStabilizationWindowSeconds`, `MaxPeriodSeconds`.
const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

function checkScalingRules(field: string, rules: JsonObject): readonly FieldError[] {
  const window = rules["stabilizationWindowSeconds"];
  const at = `${field}.stabilizationWindowSeconds`;
  const errors = checkLeast(at, window, 0, "must be greater than or equal to zero");
  if (typeof window === "number" && window > maxWindowSeconds) {
    errors.push(invalid(at, window, `must be less than or equal to ${maxWindowSeconds}`));
  }
  const selections = ["Disabled", "Max", "Min"];
  errors.push(...checkChoice(`${field}.selectPolicy`, rules["selectPolicy"], selections));
  const policies = objects(rules, "policies");
  if (policies.length === 0) {
    errors.push(required(`${field}.policies`, "must specify at least one Policy"));
  }
  for (const [index, policy] of policies.entries()) {
    errors.push(...checkScalingPolicy(`${field}.policies[${index}]`, policy));
  }
  const { tolerance } = rules;
  if (tolerance === undefined) return errors;
  return [...errors, ...checkQuantity(`${field}.tolerance`, tolerance, false)];
}

function checkScalingPolicy(field: string, policy: JsonObject): readonly FieldError[] {
  const period = count(policy, "periodSeconds");
  const errors = checkListed(`${field}.type`, policy["type"], ["Percent", "Pods"]);
  for (const name of ["value", "periodSeconds"]) {
    const value = count(policy, name);
    errors.push(...checkLeast(`${field}.${name}`, value, 1, "must be greater than zero"));
  }
  if (period <= maxPeriodSeconds) return errors;
  const problem = `must be less than or equal to ${maxPeriodSeconds}`;
  return [...errors, invalid(`${field}.periodSeconds`, period, problem)];
}
