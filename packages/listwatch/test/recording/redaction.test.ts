import { describe, expect, test } from "vitest";
import { readIncludedPath, Redaction } from "../../src/recording/redaction.ts";

const kinds = {
  pods: { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true },
  secrets: { group: "", version: "v1", resource: "secrets", kind: "Secret", namespaced: true },
  configmaps: {
    group: "",
    version: "v1",
    resource: "configmaps",
    kind: "ConfigMap",
    namespaced: true,
  },
  cronjobs: {
    group: "batch",
    version: "v1",
    resource: "cronjobs",
    kind: "CronJob",
    namespaced: true,
  },
  controllerrevisions: {
    group: "apps",
    version: "v1",
    resource: "controllerrevisions",
    kind: "ControllerRevision",
    namespaced: true,
  },
  widgets: {
    group: "example.com",
    version: "v1",
    resource: "widgets",
    kind: "Widget",
    namespaced: true,
  },
  events: { group: "", version: "v1", resource: "events", kind: "Event", namespaced: true },
  "events.events.k8s.io": {
    group: "events.k8s.io",
    version: "v1",
    resource: "events",
    kind: "Event",
    namespaced: true,
  },
} as const;

let planted = 0;
/** Returns another secret each time. */
function canary(): string {
  planted++;
  return `canary-${planted}`;
}

function metadata(name: string) {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  return {
    name,
    namespace: "a",
    annotations: { [annotation]: `{"data":"${canary()}"}`, note: "kept" },
    managedFields: [{ manager: "m", fieldsV1: { [`v:"${canary()}"`]: {} } }],
  };
}

const container = () => ({
  name: "c",
  image: "nginx",
  env: [
    { name: "PASSWORD", value: canary() },
    { name: "REFERENCE", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
  ],
});
const podSpec = () => ({
  containers: [container(), container()],
  initContainers: [container()],
  ephemeralContainers: [container()],
});

/** Objects with secrets in all places that are replaced by default. */
function objects(): readonly (readonly [keyof typeof kinds, Record<string, unknown>])[] {
  return [
    [
      "pods",
      {
        metadata: metadata("p"),
        spec: podSpec(),
        status: {
          containerStatuses: [
            {
              state: { terminated: { message: canary() } },
              lastState: { terminated: { message: canary() } },
            },
          ],
        },
      },
    ],
    [
      "secrets",
      {
        metadata: metadata("s"),
        type: "Opaque",
        data: { key: btoa(canary()), plain: canary() },
        stringData: { key: canary() },
      },
    ],
    [
      "configmaps",
      {
        metadata: metadata("m"),
        data: { key: canary(), other: canary() },
        binaryData: { key: canary() },
      },
    ],
    [
      "cronjobs",
      {
        metadata: metadata("j"),
        spec: { jobTemplate: { spec: { template: { spec: podSpec() } } } },
      },
    ],
    [
      "controllerrevisions",
      { metadata: metadata("r"), data: { spec: { template: { spec: podSpec() } } }, revision: 1 },
    ],
    [
      "widgets",
      {
        metadata: metadata("w"),
        spec: {
          password: canary(),
          size: 3,
          list: [canary(), { deep: canary() }],
          map: { any: canary() },
        },
        status: { conditions: [{ type: canary(), message: canary() }] },
        data: canary(),
      },
    ],
    ["events", { metadata: metadata("e"), message: canary(), reason: "Pulled" }],
    ["events.events.k8s.io", { metadata: metadata("f"), note: canary(), reason: "Pulled" }],
  ];
}

describe("redaction", () => {
  test("lets none of 40 secrets out, planted in all places", () => {
    planted = 0;
    const all = objects();
    const text = all
      .map(([name, object]) => JSON.stringify(new Redaction(kinds[name], []).redact(object)))
      .join("\n");
    expect(planted).toBeGreaterThanOrEqual(40);
    expect(text).not.toContain("canary");
    expect(text).not.toContain(btoa("canary").slice(0, 6));
    expect(text).toContain('"note":"kept"');
    expect(text).toContain('"image":"nginx"');
    expect(text).toContain('"secretKeyRef":{"name":"s","key":"k"}');
  });

  test("replaces strings by their length, and keeps numbers and metadata", () => {
    const object = {
      metadata: { name: "w", labels: { app: "web" } },
      spec: { password: "12345678", size: 3, on: true },
    };
    expect(new Redaction(kinds.widgets, []).redact(object).object).toEqual({
      metadata: { name: "w", labels: { app: "web" } },
      spec: { password: "<8 characters>", size: 3, on: true },
    });
  });

  test("keeps only the metadata of Secrets, and states what was left out", () => {
    const object = {
      metadata: { name: "s", managedFields: [] },
      type: "Opaque",
      data: { a: "Yg==" },
    };
    expect(new Redaction(kinds.secrets, []).redact(object)).toEqual({
      object: { metadata: { name: "s" } },
      omitted: { "metadata.managedFields": 2, type: 8, data: 12 },
    });
  });

  test("writes replaced binary data as base64", () => {
    const object = { metadata: { name: "m" }, binaryData: { key: "AAAA" } };
    const { binaryData } = new Redaction(kinds.configmaps, []).redact(object).object;
    expect(binaryData).toEqual({ key: btoa("<4 characters>") });
  });

  test.each([
    ["configmaps:data.mode", "configmaps", { data: { mode: "fast", other: "x" } }, "fast"],
    ['configmaps:data["log.level"]', "configmaps", { data: { "log.level": "debug" } }, "debug"],
    ["widgets.example.com:status", "widgets", { status: { conditions: [{ type: "Ok" }] } }, "Ok"],
    ["widgets:status.*.type", "widgets", { status: { conditions: [{ type: "Up" }] } }, "Up"],
    ["secrets:data.user", "secrets", { data: { user: "YWRtaW4=", key: "x" } }, "YWRtaW4="],
    [
      "pods:spec.containers.env.value",
      "pods",
      { spec: { containers: [{ env: [{ name: "A", value: "yes" }] }] } },
      "yes",
    ],
  ] as const)("opens %s", (include, name, object, value) => {
    const open = new Redaction(kinds[name], [readIncludedPath(include)]);
    const closed = new Redaction(kinds[name], []);
    const given = { metadata: { name: "x" }, ...object };
    expect(JSON.stringify(open.redact(given).object)).toContain(value);
    expect(JSON.stringify(closed.redact(given).object)).not.toContain(value);
    expect(JSON.stringify(open.redact(given).object)).not.toContain('"x":');
  });

  test.each(["configmaps", ":data", "configmaps:", "configmaps:data[0", "configmaps:a..b"])(
    "rejects the path %j",
    (text) => {
      expect(() => readIncludedPath(text)).toThrow("expected RESOURCE:PATH");
    },
  );
});
