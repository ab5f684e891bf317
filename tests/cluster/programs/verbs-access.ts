import assert from "node:assert/strict";
import { check } from "./checks.ts";
import { clusterScoped, namespaced, type Scene } from "./cluster.ts";

const authorization = ["authorization.k8s.io", "v1"] as const;
const authentication = ["authentication.k8s.io", "v1"] as const;

/** Checks reviews of users and access, which the server answers and does not store. */
export async function checkAccess({ client, namespace }: Scene): Promise<void> {
  const attributes = { namespace, verb: "list", resource: "pods" };
  const groups = ["system:authenticated"];

  await check("a review says who asks", async () => {
    const [group, version] = authentication;
    const kind = "SelfSubjectReview";
    const reviews = clusterScoped(group, version, "selfsubjectreviews", kind);
    const { status } = await client.resource(reviews).create({ metadata: {} });
    assert.equal(status.userInfo.username, "kubernetes-admin");
    assert.ok(status.userInfo.groups.includes("system:masters"));
  });

  await check("reviews say what a user may do", async () => {
    const [group, version] = authorization;
    const own = clusterScoped(
      group,
      version,
      "selfsubjectaccessreviews",
      "SelfSubjectAccessReview",
    );
    const mine = await client
      .resource(own)
      .create({ metadata: {}, spec: { resourceAttributes: attributes } });
    assert.equal(mine.status.allowed, true);
    const any = clusterScoped(group, version, "subjectaccessreviews", "SubjectAccessReview");
    const spec = { user: "reader", groups, resourceAttributes: attributes };
    const other = await client.resource(any).create({ metadata: {}, spec });
    assert.equal(other.status.allowed, false);
  });

  await check("roles and bindings give access", async () => {
    const rbac = ["rbac.authorization.k8s.io", "v1"] as const;
    const metadata = { namespace, name: "reads-pods" };
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }];
    await client
      .resource(namespaced(...rbac, "roles", "Role"))
      .create({ metadata, rules } as never);
    const roleRef = { apiGroup: rbac[0], kind: "Role", name: metadata.name };
    const subjects = [{ apiGroup: rbac[0], kind: "User", name: "reader" }];
    await client
      .resource(namespaced(...rbac, "rolebindings", "RoleBinding"))
      .create({ metadata, roleRef, subjects } as never);
    const [group, version] = authorization;
    const reviews = namespaced(
      group,
      version,
      "localsubjectaccessreviews",
      "LocalSubjectAccessReview",
    );
    const spec = { user: "reader", groups, resourceAttributes: attributes };
    // The authorizer reads roles from a cache.
    for (let attempt = 1; ; attempt++) {
      const { status } = await client.resource(reviews).create({ metadata: { namespace }, spec });
      if (status.allowed === true) return;
      assert.ok(attempt < 50, "expected access within 5 s");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });

  await check("token makes tokens of service accounts, for as long as asked", async () => {
    const accounts = client.resource(namespaced("", "v1", "serviceaccounts", "ServiceAccount"));
    await accounts.create({ metadata: { namespace, name: "robot" } });
    const options = { expirationSeconds: 600 };
    const made = await accounts.token(`${namespace}/robot`, options);
    const leftMs = Date.parse(made.expirationTimestamp) - Date.now();
    assert.ok(leftMs > 500_000 && leftMs < 620_000, made.expirationTimestamp);
    const [group, version] = authentication;
    const reviews = clusterScoped(group, version, "tokenreviews", "TokenReview");
    const { status } = await client
      .resource(reviews)
      .create({ metadata: {}, spec: { token: made.token } });
    assert.equal(status.user.username, `system:serviceaccount:${namespace}:robot`);
  });
}
