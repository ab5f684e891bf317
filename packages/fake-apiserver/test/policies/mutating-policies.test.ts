import {
  type ApiObject,
  FakeApiServer,
  type FakeApiServerOptions,
} from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { applying, bound, patching } from "../support/policies.ts";
import {
  clientWith,
  configuration,
  patchAnswer,
  webhook,
  WebhookHandler,
} from "../support/webhook-handler.ts";

const labelled = applying("Object{metadata: Object.metadata{labels: {'a': 'b'}}}");

function clientOf(objects: readonly ApiObject[], options: FakeApiServerOptions = {}): ApiClient {
  return new ApiClient(new FakeApiServer({ seed: 1, objects, ...options }));
}

/** A policy that appends a letter to the entry `log` of the data. */
function appending(name: string, letter: string, spec: object = {}): readonly ApiObject[] {
  const before = "has(object.data) && 'log' in object.data ? object.data.log : ''";
  const mutation = applying(`Object{data: Object.data{log: (${before}) + '${letter}'}}`);
  return bound("Mutating", name, { mutations: [mutation], ...spec });
}

describe("an apply configuration (ADM-5)", () => {
  test("is merged into the object, and its fields have no owner", async () => {
    const client = clientOf(bound("Mutating", "p", { mutations: [labelled] }));
    const { body, status } = await client.call("POST", configMaps, {
      metadata: { name: "x", labels: { own: "c" } },
    });
    expect(status).toBe(201);
    expect(body["metadata"].labels).toEqual({ own: "c", a: "b" });
    const [entry] = body["metadata"].managedFields;
    expect(entry.fieldsV1).toEqual({
      "f:metadata": { "f:labels": { ".": {}, "f:own": {} } },
    });
  });

  test("merges lists by their keys", async () => {
    const expression =
      "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{" +
      "containers: object.spec.template.spec.containers.map(c, " +
      "Object.spec.template.spec.containers{" +
      "name: c.name, imagePullPolicy: 'Always'})}}}}";
    const matchConstraints = {
      resourceRules: [
        { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments"] },
      ],
    };
    const mutations = [applying(expression)];
    const client = clientOf(bound("Mutating", "p", { matchConstraints, mutations }));
    const labels = { app: "web" };
    const { body } = await client.call("POST", "/apis/apps/v1/namespaces/default/deployments", {
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              { name: "a", image: "a:1" },
              { name: "b", image: "b:1" },
            ],
          },
        },
      },
    });
    expect(body["spec"].template.spec.containers).toMatchObject([
      { name: "a", image: "a:1", imagePullPolicy: "Always" },
      { name: "b", image: "b:1", imagePullPolicy: "Always" },
    ]);
  });

  test.each([
    [
      "Object{metadata: Object.spec{}}",
      'type mismatch: unexpected type name "Object.spec", expected "Object.metadata", which matches field name path from root Object type',
    ],
    [
      "Object{nope: 1}",
      "error applying patch: failed to convert patch object to typed object: .nope: field not declared in schema",
    ],
    [
      "Object{metadata: Object.metadata{labels: {'a': object.data.missing}}}",
      "expression 'Object{metadata: Object.metadata{labels: {'a': object.data.missing}}}' resulted in error: no such key: missing",
    ],
  ])("that cannot be applied refuses the write: %s", async (expression, problem) => {
    const client = clientOf(bound("Mutating", "p", { mutations: [applying(expression)] }));
    const { body, status } = await client.createConfigMap("x", { k: "v" });
    const message = `policy 'p' with binding 'p-b' denied request: ${problem}`;
    expect(status).toBe(403);
    expect(body).toMatchObject({
      reason: "Invalid",
      message,
      details: { name: "x", kind: "configmaps", causes: [{ message }] },
    });
  });

  test.each([
    ["Object{?data: optional.none()}", undefined],
    ["Object{?data: optional.of({'a': 'b'})}", undefined],
    ["Object{metadata: Object.metadata{?labels: optional.of({'a': 'b'})}}", { a: "b" }],
    ["Object{metadata: Object.metadata{labels: {'a': 'b'}, ?name: optional.none()}}", { a: "b" }],
    ["Object{spec: Object.spec{}} == Object{spec: Object.spec{}} ? Object{} : Object{}", undefined],
  ])("may have optional fields, and be compared: %s", async (expression, labels) => {
    const client = clientOf(bound("Mutating", "p", { mutations: [applying(expression)] }));
    const { body, status } = await client.createConfigMap("x", { k: "v" });
    expect([status, body["metadata"].labels]).toEqual([201, labels]);
  });

  test("that cannot be applied passes if failures are ignored", async () => {
    const mutations = [applying("Object{nope: 1}"), labelled];
    const client = clientOf(bound("Mutating", "p", { mutations, failurePolicy: "Ignore" }));
    const { body, status } = await client.createConfigMap("x");
    expect([status, body["metadata"].labels]).toEqual([201, { a: "b" }]);
  });

  test("may not replace a list as a whole", async () => {
    const matchConstraints = {
      resourceRules: [
        { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] },
      ],
    };
    const expression =
      "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'a', args: ['x']}]}}";
    const mutations = [applying(expression)];
    const client = clientOf(bound("Mutating", "p", { matchConstraints, mutations }));
    const { body } = await client.call("POST", "/api/v1/namespaces/default/pods", {
      metadata: { name: "x" },
      spec: { containers: [{ name: "a", image: "a:1" }] },
    });
    expect(body["message"]).toBe(
      "policy 'p' with binding 'p-b' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.containers[0].args",
    );
  });
});

describe("a JSON patch (ADM-5)", () => {
  const operations =
    "[JSONPatch{op: 'add', path: '/metadata/labels', value: {}}," +
    " JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c'), value: 'd'}]";

  test("is applied in order", async () => {
    const client = clientOf(bound("Mutating", "p", { mutations: [patching(operations)] }));
    const { body } = await client.createConfigMap("x");
    expect(body["metadata"].labels).toEqual({ "a.b/c": "d" });
  });

  test("changes nothing if its test fails", async () => {
    const tested =
      "[JSONPatch{op: 'test', path: '/data/k', value: 'other'}," +
      " JSONPatch{op: 'remove', path: '/data/k'}]";
    const client = clientOf(bound("Mutating", "p", { mutations: [patching(tested)] }));
    const { body, status } = await client.createConfigMap("x", { k: "v" });
    expect([status, body["data"]]).toEqual([201, { k: "v" }]);
  });

  test("that does not fit the object refuses the write", async () => {
    const removing = patching("[JSONPatch{op: 'remove', path: '/data/missing'}]");
    const client = clientOf(bound("Mutating", "p", { mutations: [removing] }));
    const { body, status } = await client.createConfigMap("x", { k: "v" });
    expect(status).toBe(403);
    expect(body["message"]).toMatch(/^policy 'p' with binding 'p-b' denied request: JSON Patch: /);
  });
});

describe("a mutating policy", () => {
  test("sees the change of the policy before it, and parameters and variables (ADM-5)", async () => {
    const mutation = applying(
      "Object{metadata: Object.metadata{labels: {'size': string(variables.size), 'tier': string(params.data.tier)}}}",
    );
    const client = clientOf([
      ...appending("a", "a"),
      ...bound(
        "Mutating",
        "b",
        {
          paramKind: { apiVersion: "v1", kind: "ConfigMap" },
          variables: [{ name: "size", expression: "size(object.data)" }],
          matchConditions: [{ name: "not-params", expression: "request.name != 'params'" }],
          mutations: [mutation],
        },
        { paramRef: { name: "params", parameterNotFoundAction: "Deny" } },
      ),
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "params", namespace: "default" },
        data: { tier: "gold" },
      },
    ]);
    const { body } = await client.createConfigMap("x", { k: "v" });
    expect(body["metadata"].labels).toEqual({ size: "2", tier: "gold" });
  });

  test("without its parameters refuses the write (ADM-5)", async () => {
    const client = clientOf(
      bound(
        "Mutating",
        "p",
        { paramKind: { apiVersion: "v1", kind: "ConfigMap" }, mutations: [labelled] },
        { paramRef: { name: "params", parameterNotFoundAction: "Deny" } },
      ),
    );
    const { body } = await client.createConfigMap("x");
    expect(body).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message:
        "policy 'p' with binding 'p-b' denied request: failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
    });
  });

  test("changes updates, and is followed by validation (ADM-12)", async () => {
    const client = clientOf([
      ...bound("Mutating", "m", { mutations: [labelled] }),
      ...bound("Validating", "v", {
        validations: [{ expression: "object.metadata.labels.a == 'b'" }],
      }),
    ]);
    expect((await client.createConfigMap("x")).status).toBe(201);
    const updated = await client.call("PATCH", `${configMaps}/x`, {
      metadata: { labels: { a: "other" } },
    });
    expect([updated.status, updated.body["metadata"].labels]).toEqual([200, { a: "b" }]);
  });

  test("sees an object in the version of its rules (ADM-5)", async () => {
    const matchConstraints = {
      resourceRules: [
        {
          apiGroups: ["autoscaling"],
          apiVersions: ["v1"],
          operations: ["*"],
          resources: ["horizontalpodautoscalers"],
        },
      ],
    };
    const mutations = [
      applying(
        "Object{spec: Object.spec{maxReplicas: object.spec.targetCPUUtilizationPercentage}}",
      ),
    ];
    const client = clientOf(bound("Mutating", "p", { matchConstraints, mutations }));
    const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    const { body } = await client.call("POST", path, {
      metadata: { name: "x" },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 42 } },
          },
        ],
      },
    });
    expect(body["spec"].maxReplicas).toBe(42);
  });
});

describe("reinvocation (ADM-5, ADM-12)", () => {
  const once = { reinvocationPolicy: "Never" };
  const again = { reinvocationPolicy: "IfNeeded" };

  test.each([
    [once, once, "ab"],
    [again, once, "aba"],
    [again, again, "abab"],
  ])("of policies with %j and %j", async (first, second, log) => {
    const client = clientOf([...appending("a", "a", first), ...appending("b", "b", second)]);
    const { body } = await client.createConfigMap("x");
    expect(body["data"]).toEqual({ log });
  });

  test("runs policies before webhooks, and again after them", async () => {
    const handler = new WebhookHandler(({ review }) => {
      const { data } = (review["request"] as { object: { data: { log: string } } }).object;
      return patchAnswer([{ op: "replace", path: "/data/log", value: `${data.log}w` }]);
    });
    const client = clientWith(handler, [
      ...appending("a", "a", again),
      configuration("Mutating", "m", webhook("w")),
    ]);
    const { body } = await client.createConfigMap("x");
    expect(body["data"]).toEqual({ log: "awa" });
    expect(handler.log).toEqual(["/w CREATE"]);
  });

  test("calls a webhook again that needs it, after a policy has changed the object again", async () => {
    const handler = new WebhookHandler();
    const client = clientWith(handler, [
      ...appending("a", "a", again),
      configuration("Mutating", "m", webhook("w", { reinvocationPolicy: "IfNeeded" })),
    ]);
    await client.createConfigMap("x");
    expect(handler.log).toEqual(["/w CREATE", "/w CREATE"]);
  });
});
