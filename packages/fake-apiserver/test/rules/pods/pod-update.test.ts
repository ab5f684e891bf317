import { describe, expect, test } from "vitest";
import { rulesOfKind } from "../../support/object-rules.ts";
import { container } from "../../support/valid-specs.ts";

const pods = rulesOfKind("Pod");
const changeOf = (spec: object, stored: object = {}) =>
  pods.ofChange(
    { spec: { containers: [container], ...spec } },
    { spec: { containers: [container], ...stored } },
  );
const changeForbidden =
  /^spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers/;

describe("a change of a pod (VAL-10)", () => {
  test("may replace images and add tolerations", () => {
    expect(changeOf({})).toEqual([]);
    expect(changeOf({ containers: [{ ...container, image: "nginx:1.26" }] })).toEqual([]);
    expect(changeOf({ tolerations: [{ key: "a", operator: "Exists" }] })).toEqual([]);
  });

  test.each([
    { nodeName: "n" },
    { restartPolicy: "Never" },
    { hostNetwork: true },
    { terminationGracePeriodSeconds: 5 },
    { containers: [{ ...container, command: ["x"] }] },
  ])("may not set %o", (spec) => {
    const [error, ...others] = changeOf(spec);
    expect(error).toMatch(changeForbidden);
    expect(others).toEqual([]);
  });

  test("may not add or remove containers, which is then the only error", () => {
    const other = { name: "other", image: "i" };
    expect(changeOf({ containers: [container, other], nodeName: "n" })).toEqual([
      "spec.containers: Forbidden: pod updates may not add or remove containers",
    ]);
  });

  test("may shorten its deadline, and neither prolong nor remove it", () => {
    const stored = { activeDeadlineSeconds: 5 };
    expect(changeOf({ activeDeadlineSeconds: 3 }, stored)).toEqual([]);
    expect(changeOf({ activeDeadlineSeconds: 9 }, stored)).toEqual([
      "spec.activeDeadlineSeconds: Invalid value: 9: must be less than or equal to previous value",
    ]);
    expect(changeOf({}, stored)).toEqual([
      "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value",
    ]);
  });

  test("may change only the seconds of existing tolerations", () => {
    const toleration = { key: "a", operator: "Exists", effect: "NoExecute" };
    const stored = { tolerations: [toleration] };
    expect(changeOf({ tolerations: [{ ...toleration, tolerationSeconds: 4 }] }, stored)).toEqual(
      [],
    );
    expect(changeOf({}, stored)).toEqual([
      "spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds",
    ]);
  });

  test("removes scheduling gates, and may narrow the nodes before that", () => {
    const stored = { schedulingGates: [{ name: "a" }], nodeSelector: { disk: "ssd" } };
    expect(changeOf({ nodeSelector: { disk: "ssd" } }, stored)).toEqual([]);
    expect(changeOf({ nodeSelector: { disk: "ssd", zone: "b" } }, stored)).toEqual([]);
    expect(changeOf({ nodeSelector: { zone: "b" } }, stored)).toEqual([
      'spec.nodeSelector: Invalid value: {"zone":"b"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ]);
    const gates = { schedulingGates: [{ name: "a" }, { name: "b" }] };
    expect(changeOf({ ...stored, ...gates }, stored)).toEqual([
      "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'b'",
    ]);
  });
});

describe("a change of a pod's status", () => {
  test("requires valid addresses and keeps the QoS class", () => {
    expect(pods.ofStatus({ podIPs: [{ ip: "10.0.0.300" }] })).toEqual([
      'status.podIPs[0]: Invalid value: "10.0.0.300": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
    expect(pods.ofStatus({ qosClass: "Burstable" }, { qosClass: "BestEffort" })).toEqual([
      'status.qosClass: Invalid value: "Burstable": field is immutable',
    ]);
  });

  test("may not give a wrong deadline, which is then the only error", () => {
    expect(changeOf({ activeDeadlineSeconds: -1, nodeName: "n" })).toEqual([
      "spec.activeDeadlineSeconds: Invalid value: -1: must be between 1 and 2147483647, inclusive",
      "spec.activeDeadlineSeconds: Invalid value: -1: must be between 0 and 2147483647, inclusive",
    ]);
  });

  describe("of the nodes of a pod that waits", () => {
    const name = "requiredDuringSchedulingIgnoredDuringExecution";
    const schedulingGates = [{ name: "g" }];
    const a = { key: "a", operator: "Exists" };
    const b = { key: "b", operator: "Exists" };
    const nodes = (...terms: readonly object[]) => ({
      schedulingGates,
      affinity: { nodeAffinity: { [name]: { nodeSelectorTerms: terms } } },
    });
    const field = `spec.affinity.nodeAffinity.${name}.nodeSelectorTerms`;
    const stored = nodes({ matchExpressions: [a] });

    test("may narrow them, or choose them first", () => {
      expect(changeOf(nodes({ matchExpressions: [a, b] }), stored)).toEqual([]);
      expect(changeOf(stored, { schedulingGates })).toEqual([]);
      expect(changeOf({ schedulingGates }, { schedulingGates, affinity: {} })).toEqual([]);
    });

    test.each([
      [{ schedulingGates, affinity: { nodeAffinity: {} } }, "null"],
      [
        nodes({ matchExpressions: [a] }, { matchExpressions: [b] }),
        '[{"MatchExpressions":[{"Key":"a","Operator":"Exists","Values":null}],"MatchFields":null},{"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}]',
      ],
    ])("may not change the number of terms: %j", (spec, shown) => {
      expect(changeOf(spec, stored)).toEqual([
        `${field}: Invalid value: ${shown}: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
      ]);
    });

    test("may not replace what a term requires", () => {
      expect(changeOf(nodes({ matchExpressions: [b] }), stored)).toEqual([
        `${field}[0]: Invalid value: {"MatchExpressions":[{"Key":"b","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)`,
      ]);
    });

    test("may not change what pods are wanted there", () => {
      const { affinity } = stored;
      const [error] = changeOf({ ...stored, affinity: { ...affinity, podAffinity: {} } }, stored);
      expect(error).toMatch(changeForbidden);
    });
  });
});
