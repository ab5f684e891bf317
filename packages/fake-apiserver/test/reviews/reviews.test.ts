import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

const authentication = "/apis/authentication.k8s.io/v1";
const authorization = "/apis/authorization.k8s.io/v1";

function post(path: string, spec?: object, options: FakeApiServerOptions = {}): Promise<Answer> {
  const body = spec === undefined ? {} : { spec };
  const server = new FakeApiServer({ clock: new ManualClock(), ...options });
  return new ApiClient(server).call("POST", path, body);
}

const pods = { verb: "list", resource: "pods" };

describe("a review (API-1.19)", () => {
  test("of the caller returns the user (AUT-5)", async () => {
    const { body, status } = await post(`${authentication}/selfsubjectreviews`);
    expect(status).toBe(201);
    expect(body).toEqual({
      kind: "SelfSubjectReview",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { creationTimestamp: "2026-01-02T03:04:05Z" },
      status: {
        userInfo: {
          username: "kubernetes-admin",
          groups: ["system:masters", "system:authenticated"],
        },
      },
    });
  });

  test("of access returns the question with its answer (AUT-5)", async () => {
    const path = `${authorization}/selfsubjectaccessreviews`;
    const allowed = await post(path, { resourceAttributes: pods });
    const { managedFields } = allowed.body["metadata"];
    expect(managedFields).toHaveLength(1);
    expect(allowed.body).toEqual({
      kind: "SelfSubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      metadata: { managedFields },
      spec: { resourceAttributes: pods },
      status: { allowed: true },
    });
    const refusing: FakeApiServerOptions = {
      authorization: ({ user }) => ({ allowed: user.username !== "jane", reason: "closed" }),
    };
    const subject = { user: "jane", resourceAttributes: pods };
    const refused = await post(`${authorization}/subjectaccessreviews`, subject, refusing);
    expect(refused.body["status"]).toEqual({ allowed: false, reason: "closed" });
  });

  test.each([
    [
      "selfsubjectaccessreviews",
      {},
      "spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
    ],
    [
      "selfsubjectaccessreviews",
      { resourceAttributes: pods, nonResourceAttributes: { path: "/x", verb: "get" } },
      'spec.nonResourceAttributes: Invalid value: {"path":"/x","verb":"get"}: cannot be specified in combination with resourceAttributes',
    ],
    [
      "subjectaccessreviews",
      { resourceAttributes: pods },
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      "namespaces/ns/localsubjectaccessreviews",
      { user: "a", resourceAttributes: pods },
      'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    ],
  ])("of access without a question is 422: %s (AUT-5)", async (path, spec, message) => {
    const { body, status } = await post(`${authorization}/${path}`, spec);
    expect(status).toBe(422);
    expect(body["message"]).toBe(`.authorization.k8s.io "" is invalid: ${message}`);
  });

  test("of access keeps no metadata except a namespace (AUT-5)", async () => {
    const client = new ApiClient(new FakeApiServer());
    const ask = (metadata: object): Promise<Answer> => {
      const spec = { resourceAttributes: pods };
      return client.call("POST", `${authorization}/selfsubjectaccessreviews`, { metadata, spec });
    };
    expect((await ask({ namespace: "default", creationTimestamp: null })).status).toBe(201);
    const { body, status } = await ask({ name: "x" });
    expect(status).toBe(422);
    expect(body["details"]["causes"]).toEqual([
      {
        reason: "FieldValueInvalid",
        field: "metadata",
        message: expect.stringMatching(
          /^Invalid value: \{"name":"x","managedFields":\[\{"manager":"unknown",.*\}: must be empty$/,
        ) as unknown,
      },
    ]);
  });

  test("own what was sent of them, and show their metadata alone (API-1.22)", async () => {
    const path = `${authorization}/namespaces/default/localsubjectaccessreviews`;
    const spec = { user: "a", resourceAttributes: { ...pods, namespace: "default" } };
    const ask = async (as: string): Promise<Answer> => {
      const accept = `application/json;as=${as};v=v1;g=meta.k8s.io`;
      const init = { headers: { accept } };
      const server = new FakeApiServer();
      return new ApiClient(server).call("POST", `${path}?fieldManager=tool`, { spec }, init);
    };
    const { body } = await ask("PartialObjectMetadata");
    expect(body).toMatchObject({
      kind: "PartialObjectMetadata",
      metadata: { namespace: "default", managedFields: [{ manager: "tool" }] },
    });
    expect(body["metadata"].managedFields[0].fieldsV1).toEqual({
      "f:spec": {
        "f:resourceAttributes": { ".": {}, "f:namespace": {}, "f:resource": {}, "f:verb": {} },
        "f:user": {},
      },
    });
    const list = await ask("PartialObjectMetadataList");
    expect([list.status, list.body["message"]]).toEqual([
      406,
      "you requested PartialObjectMetadataList, but the requested object is not a list (*authorization.LocalSubjectAccessReview)",
    ]);
  });

  test("of rules lists the rights of a user (AUT-5)", async () => {
    const path = `${authorization}/selfsubjectrulesreviews`;
    const { body } = await post(path, { namespace: "default" });
    expect(body).toEqual({
      kind: "SelfSubjectRulesReview",
      apiVersion: "authorization.k8s.io/v1",
      metadata: {},
      spec: {},
      status: {
        resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
        nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
        incomplete: false,
      },
    });
    const missing = await post(path, {});
    expect([missing.status, missing.body["message"]]).toEqual([400, "no namespace on request"]);
    const byFunction = await post(path, { namespace: "a" }, { authorization: () => true });
    expect(byFunction.body["status"]).toEqual({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: "webhook authorizer does not support user rule resolution",
    });
  });

  test("of a token returns its user (AUT-5)", async () => {
    const path = `${authentication}/tokenreviews`;
    const users = { good: { username: "jane", groups: ["people"] }, admin: { username: "root" } };
    const review = async (token: string): Promise<Answer> => {
      const client = new ApiClient(new FakeApiServer({ users }));
      const headers = { authorization: "Bearer admin" };
      return client.call("POST", path, { spec: { token } }, { headers });
    };
    expect((await review("good")).body["status"]).toEqual({
      authenticated: true,
      user: { username: "jane", groups: ["people", "system:authenticated"] },
      audiences: ["https://kubernetes.default.svc"],
    });
    expect((await review("bad")).body["status"]).toEqual({
      user: {},
      error: "invalid bearer token",
    });
    const { body, status } = await review("");
    expect(status).toBe(400);
    expect(body["message"]).toBe("token is required for TokenReview in authentication");
  });

  test("accepts only POST at its own path (AUT-5)", async () => {
    const client = new ApiClient(new FakeApiServer());
    const path = `${authentication}/tokenreviews`;
    expect((await client.get(path)).status).toBe(405);
    expect((await client.get(`${path}/a`)).status).toBe(404);
    expect(
      (await client.call("POST", `${authorization}/localsubjectaccessreviews`, {})).status,
    ).toBe(404);
  });
});
