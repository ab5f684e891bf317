import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const configMaps = "/api/v1/namespaces/default/configmaps";

function policy(spec: Json): Json {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: ["CREATE", "UPDATE"],
            resources: ["configmaps"],
          },
        ],
      },
      ...spec,
    },
  };
}

function configMap(name: string, data: Json = {}): Json {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

async function setUp(spec: Json, binding: Json = {}): Promise<ApiClient> {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const created = await client.call("POST", `${group}/validatingadmissionpolicies`, policy(spec));
  expect([created.status, created.headers.get("warning")]).toEqual([201, null]);
  const bound = await client.call("POST", `${group}/validatingadmissionpolicybindings`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"], ...binding },
  });
  expect(bound.status).toBe(201);
  return client;
}

const noBad = { expression: "!object.metadata.name.startsWith('bad')", message: "no bad" };

test("a bound policy denies a write (ADM-2, ADM-3)", async () => {
  const client = await setUp({ validations: [noBad] });
  expect((await client.call("POST", configMaps, configMap("good"))).status).toBe(201);
  const { body, status } = await client.call("POST", configMaps, configMap("bad1"));
  expect(status).toBe(422);
  const denied = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no bad";
  expect(body["message"]).toBe(`configmaps "bad1" is forbidden: ${denied}`);
  expect(body["details"]).toEqual({
    name: "bad1",
    kind: "configmaps",
    causes: [{ message: denied }],
  });
});

test("a policy has no effect without a binding, nor a binding without its policy (ADM-1)", async () => {
  const client = await setUp({ validations: [noBad] });
  const bindings = `${group}/validatingadmissionpolicybindings`;
  const { body: binding } = await client.get(`${bindings}/b`);
  await client.call("DELETE", `${bindings}/b`);
  expect((await client.call("POST", configMaps, configMap("bad1"))).status).toBe(201);
  const { apiVersion, kind, spec } = binding;
  await client.call("POST", bindings, { apiVersion, kind, spec, metadata: { name: "b" } });
  expect((await client.call("POST", configMaps, configMap("bad2"))).status).toBe(422);
  await client.call("DELETE", `${group}/validatingadmissionpolicies/p`);
  expect((await client.call("POST", configMaps, configMap("bad3"))).status).toBe(201);
});

test("the namespace and the request are not null (ADM-2)", async () => {
  const expression = "namespaceObject != null && request.userInfo != null && oldObject == null";
  const client = await setUp({ validations: [{ expression }] });
  expect((await client.call("POST", configMaps, configMap("good"))).status).toBe(201);
  const { status } = await client.call("PUT", `${configMaps}/good`, configMap("good", { a: "b" }));
  expect(status).toBe(422);
});

test("a policy can warn instead (ADM-4)", async () => {
  const validations = [{ expression: "has(object.data.a)" }];
  const client = await setUp({ validations }, { validationActions: ["Warn"] });
  const { headers, status } = await client.call("POST", configMaps, configMap("x", { b: "c" }));
  expect(status).toBe(201);
  expect(headers.get("warning")).toContain(
    "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression: has(object.data.a)",
  );
});

test("conditions, variables and computed messages are evaluated", async () => {
  const client = await setUp({
    matchConditions: [{ name: "not-me", expression: "request.name != 'exempt'" }],
    variables: [{ name: "count", expression: "size(object.data)" }],
    validations: [
      {
        expression: "variables.count < 2",
        messageExpression: "'too many: ' + string(variables.count)",
        reason: "Forbidden",
      },
    ],
  });
  const data = { a: "1", b: "2" };
  expect((await client.call("POST", configMaps, configMap("exempt", data))).status).toBe(201);
  const { body, status } = await client.call("POST", configMaps, configMap("x", data));
  expect(status).toBe(403);
  expect(body["message"]).toContain("denied request: too many: 2");
});

test("an error of an expression denies a write, unless the policy ignores failures", async () => {
  const validations = [{ expression: "object.data.missing == 'x'" }];
  const failing = await setUp({ validations });
  const { body } = await failing.call("POST", configMaps, configMap("x", { a: "b" }));
  expect(body["message"]).toContain("resulted in error: no such key: missing");
  const ignoring = await setUp({ validations, failurePolicy: "Ignore" });
  const accepted = await ignoring.call("POST", configMaps, configMap("x", { a: "b" }));
  expect(accepted.status).toBe(201);
});

test.each([
  [10, 422],
  [30, 201],
])("%i failing questions to the authorizer cost a part of the budget: %i", async (count, code) => {
  const question = "authorizer.path('/').check('get').reason() != 'x'";
  const failing = { expression: `${question} && object.data.missing == 'x'` };
  const validations = [...Array.from({ length: count }, () => failing), { expression: "false" }];
  // An expression after the end of the budget is an error, which this policy ignores.
  const client = await setUp({ validations, failurePolicy: "Ignore" });
  expect((await client.call("POST", configMaps, configMap("x", { a: "b" }))).status).toBe(code);
});

test.each([
  ["many failing variables cost", 30, 201],
  ["one failing variable costs", 1, 422],
])("%s a part of the budget once: %i", async (_name, count, code) => {
  const question = "authorizer.path('/').check('get').reason() != 'x'";
  const expression = `${question} && object.data.missing == 'x'`;
  const variables = Array.from({ length: count }, (_, index) => ({
    name: `v${index}`,
    expression,
  }));
  const validations = Array.from({ length: 30 }, (_, index) => ({
    expression: `variables.v${index % count}`,
  }));
  // An expression after the end of the budget is an error, which this policy ignores.
  const client = await setUp({
    variables,
    validations: [...validations, { expression: "false" }],
    failurePolicy: "Ignore",
  });
  expect((await client.call("POST", configMaps, configMap("x", { a: "b" }))).status).toBe(code);
});

test("parameters come from another object", async () => {
  const client = await setUp(
    {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "object.data.a == params.data.a" }],
      matchConditions: [{ name: "not-params", expression: "request.name != 'params'" }],
    },
    { paramRef: { name: "params", namespace: "default", parameterNotFoundAction: "Allow" } },
  );
  expect((await client.call("POST", configMaps, configMap("params", { a: "1" }))).status).toBe(201);
  expect((await client.call("POST", configMaps, configMap("same", { a: "1" }))).status).toBe(201);
  expect((await client.call("POST", configMaps, configMap("other", { a: "2" }))).status).toBe(422);
});
