import {
  type AccessRequest,
  FakeApiServer,
  type FakeApiServerOptions,
} from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient } from "../support/api-client.ts";

const users = {
  admin: { username: "root", groups: ["system:masters"] },
  jane: { username: "jane", groups: ["people"] },
};
const nodes = "/api/v1/nodes";
const pods = "/api/v1/namespaces/pb/pods";

interface Setup {
  readonly as: (token: string, method: string, path: string, headers?: object) => Promise<Answer>;
}

function setUp(options: FakeApiServerOptions = {}): Setup {
  const server = new FakeApiServer({ users, authorization: "rbac", ...options });
  const client = new ApiClient(server);
  return {
    as: (token, method, path, headers = {}) =>
      client.call(method, path, method === "POST" ? {} : undefined, {
        headers: { authorization: `Bearer ${token}`, ...headers },
      }),
  };
}

const cannot = 'User "jane" cannot';

describe("a forbidden request (API-1.19)", () => {
  test.each([
    [
      "GET",
      nodes,
      `nodes is forbidden: ${cannot} list resource "nodes" in API group "" at the cluster scope`,
    ],
    [
      "GET",
      "/api/v1/pods?watch=1",
      `pods is forbidden: ${cannot} watch resource "pods" in API group "" at the cluster scope`,
    ],
    [
      "GET",
      `${pods}/p/log`,
      `pods "p" is forbidden: ${cannot} get resource "pods/log" in API group "" in the namespace "pb"`,
    ],
    [
      "DELETE",
      pods,
      `pods is forbidden: ${cannot} deletecollection resource "pods" in API group "" in the namespace "pb"`,
    ],
    [
      "DELETE",
      "/api/v1/namespaces/pb",
      `namespaces "pb" is forbidden: ${cannot} delete resource "namespaces" in API group "" in the namespace "pb"`,
    ],
    [
      "GET",
      "/apis/nope.io/v1/x",
      `x.nope.io is forbidden: ${cannot} list resource "x" in API group "nope.io" at the cluster scope`,
    ],
    [
      "GET",
      `${pods}?fieldSelector=metadata.name%3Da`,
      `pods "a" is forbidden: ${cannot} list resource "pods" in API group "" in the namespace "pb"`,
    ],
    ["GET", "/metrics", `forbidden: ${cannot} get path "/metrics"`],
    ["POST", "/metrics", `forbidden: ${cannot} post path "/metrics"`],
  ])("is 403: %s %s (AUT-2)", async (method, path, message) => {
    const { body, headers, status } = await setUp().as("jane", method, path);
    expect(status).toBe(403);
    expect(body).toMatchObject({ message, reason: "Forbidden", code: 403 });
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("has name, group and plural in its details (AUT-2)", async () => {
    const { as } = setUp();
    const path = "/apis/apps/v1/namespaces/pb/deployments/x/scale";
    expect((await as("jane", "GET", path)).body["details"]).toEqual({
      name: "x",
      group: "apps",
      kind: "deployments",
    });
    expect((await as("jane", "GET", "/metrics")).body["details"]).toEqual({});
  });
});

describe("access of every user", () => {
  test("includes discovery and health, which are limited for anonymous users (AUT-3)", async () => {
    const { as } = setUp();
    for (const path of ["/api", "/apis", "/api/v1", "/apis/apps/v1", "/openapi/v3", "/version"]) {
      expect([path, (await as("jane", "GET", path)).status]).toEqual([path, 200]);
    }
    const client = new ApiClient(new FakeApiServer({ users, authorization: "rbac" }));
    expect((await client.get("/version")).status).toBe(200);
    expect((await client.get("/api")).body["message"]).toBe(
      'forbidden: User "system:anonymous" cannot get path "/api"',
    );
  });

  test("does not need an authorization function (AUT-3)", async () => {
    const asked: AccessRequest[] = [];
    const { as } = setUp({
      authorization: (request) => {
        asked.push(request);
        return { allowed: false, reason: "not today" };
      },
    });
    expect((await as("jane", "GET", "/apis")).status).toBe(200);
    expect(asked).toEqual([]);
    const { body } = await as("jane", "GET", nodes);
    expect(body["message"]).toBe(
      `nodes is forbidden: ${cannot} list resource "nodes" in API group "" at the cluster scope: not today`,
    );
    expect(asked).toEqual([
      {
        user: { username: "jane", groups: ["people", "system:authenticated"] },
        verb: "list",
        isResource: true,
        path: nodes,
        group: "",
        version: "v1",
        resource: "nodes",
        subresource: "",
        namespace: "",
        name: "",
      },
    ]);
  });
});

describe("an authorization function", () => {
  test("decides for each request, also later, and may throw (AUT-6)", async () => {
    const { as } = setUp({
      authorization: async ({ resource, user }) => {
        await Promise.resolve();
        if (resource === "secrets") throw new Error("broken");
        return user.username === "jane" && resource === "nodes";
      },
    });
    expect((await as("jane", "GET", nodes)).status).toBe(200);
    expect((await as("admin", "GET", nodes)).status).toBe(403);
    expect((await as("jane", "GET", "/api/v1/secrets")).status).toBe(500);
  });

  test("must be a function, or the string rbac", () => {
    const options = { authorization: "none" } as unknown as FakeApiServerOptions;
    expect(() => new FakeApiServer(options)).toThrow(/authorization/);
  });
});

describe("impersonation", () => {
  test("by a member of system:masters is accepted, with the added groups (AUT-4)", async () => {
    const { as } = setUp();
    const { body } = await as("admin", "GET", nodes, { "impersonate-user": "bob" });
    expect(body["message"]).toBe(
      'nodes is forbidden: User "bob" cannot list resource "nodes" in API group "" at the cluster scope',
    );
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const account = { "impersonate-user": "system:serviceaccount:ns:robot" };
    expect((await as("admin", "POST", path, account)).body["status"]["userInfo"]).toEqual({
      username: "system:serviceaccount:ns:robot",
      groups: ["system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated"],
    });
    const whole = {
      "impersonate-user": "bob",
      "impersonate-uid": "9",
      "impersonate-group": "g1, g2",
      "impersonate-extra-a%2Fb": "c",
    };
    expect((await as("admin", "POST", path, whole)).body["status"]["userInfo"]).toEqual({
      username: "bob",
      uid: "9",
      groups: ["g1", "g2", "system:authenticated"],
      extra: { "a/b": ["c"] },
    });
  });

  test.each([
    [{ "impersonate-uid": "u" }, 'UID:"u", Groups:[]string(nil), Extra:map[string][]string(nil)'],
    [{ "impersonate-group": "" }, 'UID:"", Groups:[]string{""}, Extra:map[string][]string(nil)'],
    [
      { "impersonate-extra-scopes": "" },
      'UID:"", Groups:[]string(nil), Extra:map[string][]string{"scopes":[]string{""}}',
    ],
    [
      { "impersonate-uid": "u", "impersonate-group": "a, b", "impersonate-extra-A%20b": "x" },
      'UID:"u", Groups:[]string{"a", "b"}, Extra:map[string][]string{"a b":[]string{"x"}}',
    ],
  ])("of %j requires a user name (AUT-4)", async (headers, shown) => {
    const { as } = setUp();
    for (const path of [nodes, "/healthz", "/nothing"]) {
      const answer = await as("admin", "GET", path, headers);
      expect(answer.status).toBe(400);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.body["message"]).toBe(
        `requested &user.DefaultInfo{Name:"", ${shown}} without impersonating a user name`,
      );
    }
  });

  test("by others is rejected with the message of 1.36 (AUT-4)", async () => {
    const { as } = setUp();
    const { body, status } = await as("jane", "GET", nodes, { "impersonate-user": "bob" });
    expect(status).toBe(403);
    expect(body["message"]).toBe(
      `nodes is forbidden: ${cannot} impersonate-on:user-info:list resource "nodes" in API group "" at the cluster scope`,
    );
  });

  test("is allowed by the verb impersonate, for each part of the user (AUT-4)", async () => {
    const { as } = setUp({
      objects: [
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRole",
          metadata: { name: "actor" },
          rules: [
            {
              apiGroups: [""],
              resources: ["users"],
              resourceNames: ["bob"],
              verbs: ["impersonate"],
            },
          ],
        },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRoleBinding",
          metadata: { name: "actor" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "actor" },
          subjects: [{ kind: "User", name: "jane" }],
        },
      ],
    });
    const asBob = { "impersonate-user": "bob" };
    expect((await as("jane", "GET", "/apis", asBob)).status).toBe(200);
    expect((await as("jane", "GET", "/apis", { "impersonate-user": "eve" })).status).toBe(403);
    const inGroup = { ...asBob, "impersonate-group": "system:masters" };
    expect((await as("jane", "GET", "/apis", inGroup)).status).toBe(403);
  });

  test("of a group without a user is 400 (AUT-4)", async () => {
    const { body, status } = await setUp().as("admin", "GET", nodes, { "impersonate-group": "g" });
    expect(status).toBe(400);
    expect(body["message"]).toBe(
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
    );
  });
});
