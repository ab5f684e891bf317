import { describe, expect, test } from "vitest";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import type { ApiObject } from "@listwatch/fake-apiserver";
import { ApiClient } from "../support/api-client.ts";

const group = "rbac.authorization.k8s.io";

function role(name: string, rules: readonly object[], more: object = {}): ApiObject {
  return { apiVersion: `${group}/v1`, kind: "ClusterRole", metadata: { name }, rules, ...more };
}

function binding(roleName: string, subject: object, namespace?: string): ApiObject {
  const kind = namespace === undefined ? "ClusterRoleBinding" : "RoleBinding";
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: `b-${roleName}`, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: roleName },
    subjects: [subject],
  };
}

const jane = { kind: "User", name: "jane", apiGroup: group };

/** Asks as an administrator whether a user is allowed something. */
async function ask(
  objects: readonly ApiObject[],
  spec: object,
): Promise<{ readonly allowed: boolean; readonly reason?: string }> {
  const client = new ApiClient(new FakeApiServer({ objects, authorization: "rbac" }));
  const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  const { body } = await client.call("POST", path, { spec: { user: "jane", ...spec } });
  return body["status"] as { allowed: boolean; reason?: string };
}

function resource(resourceName: string, more: object = {}): object {
  const [plural, subresource = ""] = resourceName.split("/");
  const attributes = { verb: "get", group: "", resource: plural, subresource, ...more };
  return { resourceAttributes: attributes };
}

const rule = (resources: readonly string[], more: object = {}): object => ({
  apiGroups: [""],
  resources,
  verbs: ["get"],
  ...more,
});

describe("the rules of a role", () => {
  test.each([
    ["the verb", rule(["pods"]), resource("pods", { verb: "list" }), false],
    ["the resource", rule(["pods"]), resource("pods"), true],
    ["not its subresources", rule(["pods"]), resource("pods/log"), false],
    ["a subresource", rule(["pods/log"]), resource("pods/log"), true],
    ["one subresource of all", rule(["*/scale"]), resource("pods/scale"), true],
    ["all resources and subresources", rule(["*"]), resource("pods/log"), true],
    ["the group", rule(["pods"], { apiGroups: ["apps"] }), resource("pods"), false],
    ["all groups", rule(["pods"], { apiGroups: ["*"] }), resource("pods"), true],
    ["a name", rule(["pods"], { resourceNames: ["a"] }), resource("pods", { name: "a" }), true],
    ["no other name", rule(["pods"], { resourceNames: ["a"] }), resource("pods"), false],
    ["all verbs", rule(["pods"], { verbs: ["*"] }), resource("pods", { verb: "delete" }), true],
    [
      "paths with a star at their end",
      { verbs: ["get"], nonResourceURLs: ["/logs/*"] },
      { nonResourceAttributes: { verb: "get", path: "/logs/x" } },
      true,
    ],
    [
      "paths and no others",
      { verbs: ["get"], nonResourceURLs: ["/logs"] },
      { nonResourceAttributes: { verb: "get", path: "/logs/x" } },
      false,
    ],
  ])("allow by %s (AUT-6)", async (_what, granted, spec, allowed) => {
    const objects = [role("r", [granted]), binding("r", jane)];
    expect((await ask(objects, spec)).allowed).toBe(allowed);
  });

  test("come from other roles by aggregation (AUT-6)", async () => {
    const selectors = [{ matchLabels: { part: "yes" } }];
    const objects = [
      role("whole", [], { aggregationRule: { clusterRoleSelectors: selectors } }),
      role("part", [rule(["pods"])], { metadata: { name: "part", labels: { part: "yes" } } }),
      role("other", [rule(["secrets"])]),
      binding("whole", jane),
    ];
    expect((await ask(objects, resource("pods"))).allowed).toBe(true);
    expect((await ask(objects, resource("secrets"))).allowed).toBe(false);
  });
});

describe("a binding", () => {
  test("in a namespace applies only there (AUT-6)", async () => {
    const objects = [role("r", [rule(["pods"])]), binding("r", jane, "pb")];
    expect(await ask(objects, resource("pods", { namespace: "pb" }))).toEqual({
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b-r/pb" of ClusterRole "r" to User "jane"',
    });
    expect(await ask(objects, resource("pods", { namespace: "other" }))).toEqual({
      allowed: false,
    });
    expect(await ask(objects, resource("pods"))).toEqual({ allowed: false });
  });

  test.each([
    [{ kind: "Group", name: "people" }, { groups: ["people"] }, 'Group "people"'],
    [
      { kind: "ServiceAccount", name: "robot", namespace: "ns" },
      { user: "system:serviceaccount:ns:robot" },
      'ServiceAccount "robot/ns"',
    ],
  ])("names users by %o (AUT-6)", async (subject, user, shown) => {
    const objects = [role("r", [rule(["pods"])]), binding("r", subject)];
    expect(await ask(objects, { ...resource("pods"), ...user })).toEqual({
      allowed: true,
      reason: `RBAC: allowed by ClusterRoleBinding "b-r" of ClusterRole "r" to ${shown}`,
    });
    expect((await ask(objects, resource("pods"))).allowed).toBe(false);
  });

  test("of a role that does not exist is named in the refusal (AUT-6)", async () => {
    expect(await ask([binding("r", jane)], resource("pods"))).toEqual({
      allowed: false,
      reason: `RBAC: clusterrole.${group} "r" not found`,
    });
  });

  test("of cluster-admin allows everything, although no such role is stored (AUT-6)", async () => {
    const objects = [binding("cluster-admin", jane)];
    expect((await ask(objects, resource("secrets", { verb: "delete" }))).allowed).toBe(true);
  });

  test("is not required for system:masters (AUT-6)", async () => {
    const masters = { groups: ["system:masters"] };
    expect(await ask([], { ...resource("pods"), ...masters })).toEqual({ allowed: true });
  });
});
