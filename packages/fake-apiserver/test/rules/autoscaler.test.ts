import { describe, expect, test } from "vitest";
import { autoscalerRules } from "../../src/rules/autoscaler.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a", namespace: "default" };
const plain = {
  scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
  minReplicas: 1,
  maxReplicas: 2,
};
const check = (spec: object) =>
  describeErrors(autoscalerRules.create({ metadata, spec: { ...plain, ...spec } }));
const withMetric = (metric: object) => check({ metrics: [metric] });

describe("autoscalers (VAL-16)", () => {
  test.each([
    [{}, []],
    [
      { scaleTargetRef: undefined },
      [
        "spec.scaleTargetRef.kind: Required value",
        "spec.scaleTargetRef.name: Required value",
        'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
      ],
    ],
    [
      { maxReplicas: 0 },
      [
        "spec.maxReplicas: Required value: must be set and greater than 0",
        "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
      ],
    ],
    [
      // The declared rule reports the rest.
      { maxReplicas: -1 },
      ["spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`"],
    ],
    [
      { minReplicas: -1 },
      ["spec.minReplicas: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      { minReplicas: 0 },
      [
        "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
      ],
    ],
    [
      {
        minReplicas: 0,
        metrics: [
          {
            type: "External",
            external: {
              metric: { name: "queue" },
              target: { type: "AverageValue", averageValue: "1" },
            },
          },
        ],
      },
      [],
    ],
    [
      { behavior: { scaleUp: { selectPolicy: "X", stabilizationWindowSeconds: 3601 } } },
      [
        "spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600",
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "X": supported values: "Disabled", "Max", "Min"',
        "spec.behavior.scaleUp.policies: Required value: must specify at least one Policy",
      ],
    ],
    [
      {
        behavior: {
          scaleUp: {
            policies: [{ value: 1, periodSeconds: 1 }],
            selectPolicy: "",
            tolerance: "-1",
          },
        },
      },
      [
        'spec.behavior.scaleUp.selectPolicy: Unsupported value: "": supported values: "Disabled", "Max", "Min"',
        'spec.behavior.scaleUp.policies[0].type: Unsupported value: "": supported values: "Percent", "Pods"',
        'spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
    [
      {
        metrics: [
          {
            type: "ContainerResource",
            containerResource: {
              name: "disk",
              container: "a.b",
              target: { type: "Utilization", averageUtilization: 1 },
            },
          },
        ],
      },
      [
        'spec.metrics[0].containerResource.name: Invalid value: "disk": must be a standard resource type or fully qualified',
        'spec.metrics[0].containerResource.name: Invalid value: "disk": must be a standard resource for containers',
        'spec.metrics[0].containerResource.container: Invalid value: "a.b": must not contain dots',
      ],
    ],
    [
      { behavior: { scaleDown: { policies: [{ type: "Pods", value: 0, periodSeconds: 1801 }] } } },
      [
        "spec.behavior.scaleDown.policies[0].value: Invalid value: 0: must be greater than zero",
        "spec.behavior.scaleDown.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800",
      ],
    ],
  ])("with %j: %j", (spec, expected) => {
    expect(check(spec)).toEqual(expected);
  });

  const cpu = (target: object) => ({ type: "Resource", resource: { name: "cpu", target } });
  const share = { type: "Utilization", averageUtilization: 80 };
  const target = { type: "AverageValue", averageValue: "1" };
  test.each([
    [cpu(share), []],
    [
      { type: "Resource" },
      ["resource: Required value: must populate information for the given metric source"],
    ],
    [{ ...cpu(share), pods: {} }, ["pods: Forbidden: must populate the given metric source only"]],
    [
      cpu({ type: "X", averageUtilization: 0 }),
      [
        'resource.target.type: Invalid value: "X": must be either Utilization, Value, or AverageValue',
        "resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
      ],
    ],
    [
      cpu({ ...share, averageValue: "1" }),
      [
        "resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization",
      ],
    ],
    [
      { type: "Pods", pods: { metric: { name: "m" }, target: { type: "AverageValue" } } },
      ["pods.target.averageValue: Required value: must specify a positive target averageValue"],
    ],
    [
      { type: "External", external: { metric: {}, target: { ...target, value: "1" } } },
      [
        "external.metric.name: Required value: must specify a metric name",
        "external.target.value: Forbidden: may not set both a target value for metric and a per-pod target",
      ],
    ],
    [
      {
        type: "Object",
        object: { describedObject: plain.scaleTargetRef, metric: { name: "m" }, target },
      },
      [],
    ],
  ])("with a metric %j: %j", (metric, expected) => {
    expect(withMetric(metric)).toEqual(expected.map((error) => `spec.metrics[0].${error}`));
  });
});
