import { describe, expect, test } from "vitest";
import { rulesOfKind } from "../../support/object-rules.ts";
import { template } from "../../support/valid-specs.ts";

const selector = { matchLabels: { app: "web" } };
const mismatch =
  'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`';
const errorsOf = (kind: string, spec: object) =>
  rulesOfKind(kind).ofNew({ spec: { selector, template: template(), ...spec } });
const changeOf = (kind: string, spec: object, stored: object = {}) =>
  rulesOfKind(kind).ofChange(
    { spec: { selector, template: template(), ...spec } },
    { spec: { selector, template: template(), ...stored } },
  );
const lasting = ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"];

describe.each(lasting)("a %s", (kind) => {
  const noun = kind === "ReplicaSet" ? "deployment" : kind.toLowerCase();

  test("is valid with a selector that matches its template", () => {
    expect(errorsOf(kind, {})).toEqual([]);
    const expression = { key: "app", operator: "In", values: ["web", "db"] };
    expect(errorsOf(kind, { selector: { matchExpressions: [expression] } })).toEqual([]);
  });

  test("requires a selector that selects its own pods (VAL-5)", () => {
    expect(errorsOf(kind, { selector: {} })).toEqual([
      `spec.selector: Invalid value: {}: empty selector is invalid for ${noun}`,
    ]);
    expect(errorsOf(kind, { selector: { matchLabels: { no: "match" } } })).toEqual([mismatch]);
    const errors = errorsOf(kind, { selector: undefined });
    expect(errors).toContain(mismatch);
    expect(errors.includes("spec.selector: Required value")).toBe(kind !== "DaemonSet");
  });

  test("requires a template with the restart policy Always (VAL-4, VAL-9)", () => {
    expect(errorsOf(kind, { template: undefined })).toEqual([
      "spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`",
      "spec.template.spec.containers: Required value",
    ]);
    expect(errorsOf(kind, { template: template({ restartPolicy: "Never" }) })).toEqual([
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ]);
    expect(errorsOf(kind, { template: template({ activeDeadlineSeconds: 5 }) })).toEqual([
      `spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ${
        kind === "Deployment" ? "ReplicaSet" : kind
      } is not Supported`,
    ]);
  });

  test("has an immutable selector (VAL-5, VAL-11)", () => {
    const matchLabels = { app: "web", z: "z" };
    const errors = changeOf(kind, { selector: { matchLabels } });
    expect(errors).toHaveLength(2);
    expect(errors[0]).toBe(mismatch);
    expect(errors[1]).toBe(
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","z":"z"}}: field is immutable',
    );
  });
});

describe("selectors (VAL-5)", () => {
  test.each([
    [
      { key: "a", operator: "In" },
      "values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      { key: "a", operator: "Foo" },
      'operator: Invalid value: "Foo": not a valid selector operator',
    ],
  ])("%o cannot be parsed", (expression, error) => {
    expect(errorsOf("Deployment", { selector: { matchExpressions: [expression] } })).toEqual([
      `spec.selector.matchExpressions[0].${error}`,
      `spec.selector: Invalid value: {"matchExpressions":[${JSON.stringify(expression)}]}: invalid label selector`,
    ]);
  });
});

describe("a Deployment (VAL-6)", () => {
  const strategy = (rollingUpdate: object) => ({ strategy: { rollingUpdate } });
  const field = "spec.strategy.rollingUpdate";

  test.each([
    [{ replicas: -1 }, ["spec.replicas: Invalid value: -1: must be greater than or equal to 0"]],
    [
      { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } },
      [`${field}: Forbidden: may not be specified when strategy \`type\` is 'Recreate'`],
    ],
    [
      { strategy: { type: "X" } },
      [
        'spec.strategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      strategy({ maxSurge: 0, maxUnavailable: 0 }),
      [`${field}.maxUnavailable: Invalid value: 0: may not be 0 when \`maxSurge\` is 0`],
    ],
    [
      strategy({ maxUnavailable: "" }),
      [
        `${field}.maxUnavailable: Invalid value: "": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
      ],
    ],
    [
      { strategy: { type: "X", rollingUpdate: { maxUnavailable: "30%" } } },
      [
        'spec.strategy: Unsupported value: {"Type":"X","RollingUpdate":{"MaxUnavailable":"30%","MaxSurge":0}}: supported values: "Recreate", "RollingUpdate"',
      ],
    ],
    [
      strategy({ maxUnavailable: "150%" }),
      [`${field}.maxUnavailable: Invalid value: "150%": must not be greater than 100%`],
    ],
    [
      { progressDeadlineSeconds: 1, minReadySeconds: 5 },
      ["spec.progressDeadlineSeconds: Invalid value: 1: must be greater than minReadySeconds"],
    ],
  ])("%o", (spec, errors) => {
    expect(errorsOf("Deployment", spec)).toEqual(errors);
  });

  test("cannot have a status with more pods than exist", () => {
    expect(rulesOfKind("Deployment").ofStatus({ replicas: -1 })).toEqual([
      "status.replicas: Invalid value: -1: must be greater than or equal to 0",
      "status.updatedReplicas: Invalid value: 0: cannot be greater than status.replicas",
      "status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 0: cannot be greater than status.replicas",
    ]);
    const status = { replicas: 3, readyReplicas: 1, availableReplicas: 2 };
    expect(rulesOfKind("Deployment").ofStatus(status)).toEqual([
      "status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas",
    ]);
    expect(rulesOfKind("Deployment").ofStatus({}, { collisionCount: 2 })).toEqual([
      "status.collisionCount: Invalid value: 0: cannot be decremented",
    ]);
  });
});

describe("a DaemonSet (VAL-6)", () => {
  const update = (rollingUpdate: object) => ({ updateStrategy: { rollingUpdate } });
  const field = "spec.updateStrategy.rollingUpdate";

  test.each([
    [
      update({ maxSurge: 1, maxUnavailable: 1 }),
      `${field}.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero`,
    ],
    [
      update({ maxSurge: 0, maxUnavailable: 0 }),
      `${field}.maxUnavailable: Required value: cannot be 0 when maxSurge is 0`,
    ],
    [
      { updateStrategy: { type: "X" } },
      'spec.updateStrategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
    ],
    [
      update({ maxUnavailable: "-1" }),
      `${field}.maxUnavailable: Invalid value: "-1": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
    ],
  ])("%o", (spec, error) => {
    expect(errorsOf("DaemonSet", spec)).toEqual([error]);
  });
});

describe("a StatefulSet (VAL-11)", () => {
  test.each([
    [
      { podManagementPolicy: "X" },
      "spec.podManagementPolicy: Invalid value: \"X\": must be 'OrderedReady' or 'Parallel'",
    ],
    [
      { updateStrategy: { type: "X" } },
      'spec.updateStrategy: Invalid value: {"Type":"X","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
    ],
    [
      { persistentVolumeClaimRetentionPolicy: { whenDeleted: "X" } },
      'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "X": supported values: "Retain", "Delete"',
    ],
  ])("%o", (spec, error) => {
    expect(errorsOf("StatefulSet", spec)).toEqual([error]);
  });

  test("warns of a limit that keeps all revisions", () => {
    const spec = { selector, template: template(), revisionHistoryLimit: -1 };
    expect(rulesOfKind("StatefulSet").warnings({ spec })).toEqual([
      "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
    ]);
  });

  test("can mount the volumes of its claims", () => {
    const volumeMounts = [{ name: "data", mountPath: "/data" }];
    const mounting = template({ containers: [{ name: "a", image: "i", volumeMounts }] });
    const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const volumeClaimTemplates = [{ metadata: { name: "data" }, spec: claim }];
    expect(errorsOf("StatefulSet", { template: mounting, volumeClaimTemplates })).toEqual([]);
    expect(errorsOf("StatefulSet", { template: mounting })).toEqual([
      'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    ]);
  });

  test("is checked for its claims and its service when it is new", () => {
    const wrong = { serviceName: "A_", volumeClaimTemplates: [{ metadata: { name: "data" } }] };
    expect(errorsOf("StatefulSet", wrong)).toEqual([
      "spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required",
      "spec.volumeClaimTemplates[0].spec.resources[storage]: Required value",
      expect.stringMatching(/^spec\.serviceName: Invalid value: "A_": a lowercase RFC 1123 label/),
    ]);
    expect(changeOf("StatefulSet", { ...wrong, replicas: 2 }, wrong)).toEqual([]);
  });

  test("may be scaled and rolled out, and is immutable otherwise", () => {
    const free = { replicas: 5, minReadySeconds: 3, ordinals: { start: 1 } };
    expect(changeOf("StatefulSet", free)).toEqual([]);
    expect(changeOf("StatefulSet", { template: template({ nodeName: "n" }) })).toEqual([]);
    expect(changeOf("StatefulSet", { serviceName: "t" }, { serviceName: "s" })).toEqual([
      'spec.serviceName: Invalid value: "t": field is immutable',
    ]);
  });
});

describe("a ReplicationController", () => {
  test("selects by a map of labels, which defaults to those of its template", () => {
    const rules = rulesOfKind("ReplicationController");
    expect(rules.ofNew({ spec: { template: template() } })).toEqual([]);
    expect(rules.ofNew({ spec: { template: template(), selector: { z: "z" } } })).toEqual([
      mismatch,
    ]);
    expect(rules.ofNew({ spec: {} })).toEqual([
      "spec.selector: Required value",
      "spec.template: Required value",
    ]);
  });
});

describe("a PodTemplate", () => {
  test("is validated like the templates of workloads", () => {
    const rules = rulesOfKind("PodTemplate");
    expect(rules.ofNew({ template: template() })).toEqual([]);
    expect(rules.ofNew({ template: template({ containers: [] }) })).toEqual([
      "template.spec.containers: Required value",
    ]);
  });
});
