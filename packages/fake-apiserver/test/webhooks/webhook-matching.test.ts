import { describe, expect, test } from "vitest";
import { configMaps } from "../support/api-client.ts";
import { clientWith, configuration, webhook, WebhookHandler } from "../support/webhook-handler.ts";

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d", namespace: "default", labels: { app: "web" } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "nginx" }] },
    },
  },
};
const autoscaler = {
  apiVersion: "autoscaling/v1",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "h" },
  spec: {
    maxReplicas: 2,
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
    targetCPUUtilizationPercentage: 50,
  },
};
const deploymentPath = "/apis/apps/v1/namespaces/default/deployments/d";
const objects = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "labelled", labels: { team: "a" } } },
  deployment,
  { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "plain", namespace: "default" } },
];

const rule = {
  operations: ["*"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: ["*"],
};
const inTeam = { matchLabels: { team: "a" } };

type Request = readonly [method: string, path: string, body?: object];
const create: Request = ["POST", configMaps, { metadata: { name: "a" } }];
const createLabelled: Request = [
  "POST",
  "/api/v1/namespaces/labelled/configmaps",
  { metadata: { name: "a", labels: { team: "a" } } },
];
const createNamespace: Request = [
  "POST",
  "/api/v1/namespaces",
  { metadata: { name: "n", labels: { team: "a" } } },
];
const createRole: Request = [
  "POST",
  "/apis/rbac.authorization.k8s.io/v1/clusterroles",
  { metadata: { name: "r" } },
];
const remove: Request = ["DELETE", `${configMaps}/plain`];
const scale: Request = ["PATCH", `${deploymentPath}/scale`, { spec: { replicas: 2 } }];
const status: Request = ["PATCH", `${deploymentPath}/status`, { status: { replicas: 1 } }];
const update: Request = ["PATCH", deploymentPath, { spec: { replicas: 3 } }];
const createAutoscaler: Request = [
  "POST",
  "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
  autoscaler,
];

const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, Request, boolean])[] = [
  ["all writes", { rules: [rule] }, create, true],
  ["no rule", { rules: [] }, create, false],
  ["another operation", { rules: [{ ...rule, operations: ["UPDATE"] }] }, create, false],
  [
    "one of two operations",
    { rules: [{ ...rule, operations: ["UPDATE", "CREATE"] }] },
    create,
    true,
  ],
  ["another group", { rules: [{ ...rule, apiGroups: ["apps"] }] }, create, false],
  ["another version", { rules: [{ ...rule, apiVersions: ["v1beta1"] }] }, create, false],
  ["another resource", { rules: [{ ...rule, resources: ["secrets"] }] }, create, false],
  ["a deletion", { rules: [{ ...rule, operations: ["DELETE"] }] }, remove, true],
  ["the second rule", { rules: [{ ...rule, apiGroups: ["apps"] }, rule] }, create, true],
  ["namespaced objects", { rules: [{ ...rule, scope: "Namespaced" }] }, create, true],
  ["namespaced objects", { rules: [{ ...rule, scope: "Namespaced" }] }, createRole, false],
  ["namespaced objects", { rules: [{ ...rule, scope: "Namespaced" }] }, createNamespace, false],
  ["cluster-scoped objects", { rules: [{ ...rule, scope: "Cluster" }] }, createNamespace, true],
  ["cluster-scoped objects", { rules: [{ ...rule, scope: "Cluster" }] }, create, false],
  ["all resources", { rules: [{ ...rule, resources: ["*"] }] }, status, false],
  ["all resources and subresources", { rules: [{ ...rule, resources: ["*/*"] }] }, status, true],
  ["all resources and subresources", { rules: [{ ...rule, resources: ["*/*"] }] }, update, true],
  ["subresources of one", { rules: [{ ...rule, resources: ["deployments/*"] }] }, scale, true],
  ["one subresource", { rules: [{ ...rule, resources: ["deployments/status"] }] }, scale, false],
  ["one subresource of all", { rules: [{ ...rule, resources: ["*/scale"] }] }, scale, true],
  ["labels of the namespace", { rules: [rule], namespaceSelector: inTeam }, create, false],
  ["labels of the namespace", { rules: [rule], namespaceSelector: inTeam }, createLabelled, true],
  // A new namespace is in itself, and a cluster-scoped object in every one.
  ["labels of the namespace", { rules: [rule], namespaceSelector: inTeam }, createNamespace, true],
  ["labels of the namespace", { rules: [rule], namespaceSelector: inTeam }, createRole, true],
  ["labels of the object", { rules: [rule], objectSelector: inTeam }, create, false],
  ["labels of the object", { rules: [rule], objectSelector: inTeam }, createLabelled, true],
  [
    "labels of the old object",
    { rules: [rule], objectSelector: { matchLabels: { app: "web" } } },
    ["PATCH", deploymentPath, { metadata: { labels: { app: null } } }],
    true,
  ],
  ["an equivalent version", { rules: [{ ...rule, apiVersions: ["v2"] }] }, createAutoscaler, true],
  [
    "an equivalent version exactly",
    { rules: [{ ...rule, apiVersions: ["v2"] }], matchPolicy: "Exact" },
    createAutoscaler,
    false,
  ],
];

describe("a webhook", () => {
  test.each(cases)("for %s, with %j, and %j: called is %s (ADM-11)", async (...one) => {
    const [, changes, [method, path, body], called] = one;
    const handler = new WebhookHandler();
    const hooks = configuration("Validating", "v", webhook("a", changes));
    const client = clientWith(handler, [...objects, hooks]);
    const { status: code } = await client.call(method, path, body);
    expect(code).toBeLessThan(300);
    expect(handler.calls).toHaveLength(called ? 1 : 0);
  });

  test("sees the objects of an equivalent resource in the version of its rule (ADM-11)", async () => {
    const handler = new WebhookHandler();
    const rules = [{ ...rule, apiGroups: ["autoscaling"], apiVersions: ["v2"] }];
    const client = clientWith(handler, [configuration("Mutating", "m", webhook("a", { rules }))]);
    await client.call(...createAutoscaler);
    const [request] = handler.requests;
    expect(request).toMatchObject({
      kind: { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" },
      resource: { group: "autoscaling", version: "v2", resource: "horizontalpodautoscalers" },
      requestKind: { group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler" },
      requestResource: {
        group: "autoscaling",
        version: "v1",
        resource: "horizontalpodautoscalers",
      },
      object: { apiVersion: "autoscaling/v2", spec: { maxReplicas: 2 } },
    });
  });

  test("is not called for configurations of webhooks and for reviews (ADM-11)", async () => {
    const handler = new WebhookHandler();
    const rules = [{ ...rule, resources: ["*/*"] }];
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a", { rules }))]);
    const group = "/apis/admissionregistration.k8s.io/v1";
    await client.call("DELETE", `${group}/validatingwebhookconfigurations/none`);
    await client.call(
      "POST",
      `${group}/mutatingwebhookconfigurations`,
      configuration("Mutating", "m"),
    );
    await client.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
    expect(handler.calls).toEqual([]);
    await client.call("DELETE", `${group}/validatingwebhookconfigurations/v`);
    expect((await client.createConfigMap("a")).status).toBe(201);
    expect(handler.calls).toEqual([]);
  });

  test("sees the scale of an object as a Scale (ADM-11)", async () => {
    const handler = new WebhookHandler();
    const rules = [{ ...rule, resources: ["*/scale"] }];
    const hooks = configuration("Validating", "v", webhook("a", { rules }));
    const client = clientWith(handler, [...objects, hooks]);
    await client.call(...scale);
    expect(handler.requests[0]).toMatchObject({
      kind: { group: "autoscaling", version: "v1", kind: "Scale" },
      resource: { group: "apps", version: "v1", resource: "deployments" },
      subResource: "scale",
      requestSubResource: "scale",
      operation: "UPDATE",
      object: { kind: "Scale", spec: { replicas: 2 } },
      oldObject: { kind: "Scale", spec: { replicas: 1 } },
    });
  });

  test("sees evictions and connections by their own kinds (ADM-11)", async () => {
    const handler = new WebhookHandler();
    const rules = [{ ...rule, resources: ["pods/*"] }];
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: "default" },
      spec: { containers: [{ name: "main", image: "nginx" }] },
    };
    const hooks = configuration("Validating", "v", webhook("a", { rules }));
    const client = clientWith(handler, [pod, hooks]);
    const path = "/api/v1/namespaces/default/pods/p";
    await client.send("POST", `${path}/exec?command=ls&command=-l&container=main&stdin=true`);
    await client.call("POST", `${path}/eviction`, { metadata: { name: "p" } });
    const shown = handler.requests.map(
      ({ kind, name, object, operation, options, subResource }) => ({
        kind: (kind as { kind: string }).kind,
        name: name as string,
        object: object as object | null,
        operation: operation as string,
        options: options as object | null,
        subResource: subResource as string,
      }),
    );
    expect(shown.slice(0, 2)).toEqual([
      {
        kind: "PodExecOptions",
        name: "p",
        object: {
          kind: "PodExecOptions",
          apiVersion: "v1",
          stdin: true,
          stdout: true,
          stderr: true,
          container: "main",
          command: ["ls", "-l"],
        },
        operation: "CONNECT",
        options: null,
        subResource: "exec",
      },
      {
        kind: "Eviction",
        name: "p",
        object: expect.objectContaining({ kind: "Eviction", apiVersion: "policy/v1" }) as object,
        operation: "CREATE",
        options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
        subResource: "eviction",
      },
    ]);
  });
});
