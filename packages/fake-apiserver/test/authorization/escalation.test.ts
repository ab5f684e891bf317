import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient } from "../support/api-client.ts";

const group = "rbac.authorization.k8s.io";
const roles = `/apis/${group}/v1/namespaces/default/roles`;
const bindings = `/apis/${group}/v1/namespaces/default/rolebindings`;
const writer = {
  apiGroups: [group],
  resources: ["*"],
  verbs: ["create", "update", "patch", "get"],
};
const podReader = { apiGroups: [""], resources: ["pods"], verbs: ["get"] };

/** Sends as jane, who may write roles, read pods, and has the rights of `rules`. */
function asJane(
  ...rules: readonly object[]
): (method: string, path: string, body: object) => Promise<Answer> {
  const apiVersion = `${group}/v1`;
  const server = new FakeApiServer({
    users: { t: { username: "jane", groups: ["people"] } },
    authorization: "rbac",
    objects: [
      {
        apiVersion,
        kind: "ClusterRole",
        metadata: { name: "own" },
        rules: [writer, podReader, ...rules],
      },
      {
        apiVersion,
        kind: "ClusterRoleBinding",
        metadata: { name: "own" },
        roleRef: { apiGroup: group, kind: "ClusterRole", name: "own" },
        subjects: [{ kind: "User", name: "jane" }],
      },
      {
        apiVersion,
        kind: "ClusterRole",
        metadata: { name: "other" },
        rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
      },
    ],
  });
  const client = new ApiClient(server);
  const headers = { authorization: "Bearer t" };
  return (method, path, body) => client.call(method, path, body, { headers });
}

function role(...rules: readonly object[]): object {
  return { metadata: { name: "r5" }, rules };
}

function binding(name: string): object {
  return { metadata: { name: "b" }, roleRef: { apiGroup: group, kind: "ClusterRole", name } };
}

describe("a role", () => {
  test("with rights that its writer lacks is rejected (AUT-7)", async () => {
    const rules = [
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
      { apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["a"], verbs: ["get"] },
    ];
    const { body, status } = await asJane()("POST", roles, role(...rules));
    expect(status).toBe(403);
    expect(body["message"]).toBe(
      `roles.${group} "r5" is forbidden: user "jane" (groups=["people" "system:authenticated"]) ` +
        `is attempting to grant RBAC permissions not currently held:\n` +
        `{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}\n` +
        `{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["a"], Verbs:["get"]}`,
    );
  });

  test.each([
    ["the same rights", podReader],
    ["the right to a name", { ...podReader, resourceNames: ["a"] }],
  ])("with %s is stored (AUT-7)", async (_what, rule) => {
    expect((await asJane()("POST", roles, role(rule))).status).toBe(201);
  });

  test("is stored by the verb escalate, and changed in other fields (AUT-7)", async () => {
    const escalate = { apiGroups: [group], resources: ["roles"], verbs: ["escalate"] };
    const more = { ...podReader, verbs: ["delete"] };
    expect((await asJane(escalate)("POST", roles, role(more))).status).toBe(201);
    const send = asJane();
    await send("POST", roles, role(podReader));
    const labels = { metadata: { labels: { a: "b" } } };
    expect((await send("PATCH", `${roles}/r5`, labels)).status).toBe(200);
    expect((await send("PATCH", `${roles}/r5`, { rules: [more] })).status).toBe(403);
  });

  test.each([
    ["all verbs", { verbs: ["*"], apiGroups: [""], resources: ["pods"] }, true],
    ["all resources", { verbs: ["delete"], apiGroups: [""], resources: ["*"] }, true],
    ["all groups", { verbs: ["delete"], apiGroups: ["*"], resources: ["pods"] }, true],
    ["a name", { ...podReader, verbs: ["delete"], resourceNames: ["a"] }, false],
    ["another verb", { ...podReader, verbs: ["list"] }, false],
  ])("is covered by a right to %s: %o", async (_what, held, isCovered) => {
    const wanted = { ...podReader, verbs: ["delete"] };
    const { status } = await asJane(held)("POST", roles, role(wanted));
    expect(status).toBe(isCovered ? 201 : 403);
  });
});

describe("a binding", () => {
  test("of a role with rights that its writer lacks is rejected (AUT-7)", async () => {
    const { body, status } = await asJane()("POST", bindings, binding("other"));
    expect(status).toBe(403);
    expect(body["message"]).toContain('{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}');
    expect(body["details"]).toEqual({ name: "b", group, kind: "rolebindings" });
  });

  test("is stored for a role with the writer's rights, or by the verb bind (AUT-7)", async () => {
    expect((await asJane()("POST", bindings, binding("own"))).status).toBe(201);
    const bind = {
      apiGroups: [group],
      resources: ["clusterroles"],
      resourceNames: ["other"],
      verbs: ["bind"],
    };
    expect((await asJane(bind)("POST", bindings, binding("other"))).status).toBe(201);
  });

  test("of a role that does not exist is 404 (AUT-7)", async () => {
    const { body, status } = await asJane()("POST", bindings, binding("nope"));
    expect([status, body["message"]]).toEqual([404, `clusterrole.${group} "nope" not found`]);
  });
});
