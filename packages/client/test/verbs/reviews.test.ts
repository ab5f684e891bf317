import { createClient, createConnection, defineResource, isStatusError } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";

interface Review extends KubernetesObject {
  readonly spec?: object;
  readonly status?: {
    readonly allowed?: boolean;
    readonly authenticated?: boolean;
    readonly userInfo?: { readonly username?: string };
  };
}

function review(kind: string, group: string, scope: "Cluster" | "Namespaced" = "Cluster") {
  const resource = `${kind.toLowerCase()}s`;
  return defineResource<Review, "Cluster" | "Namespaced">({
    group,
    version: "v1",
    resource,
    kind,
    scope,
  });
}

const asked = { namespace: "default", verb: "get", resource: "pods" };

test.each<[string, string, object, object]>([
  [
    "SelfSubjectAccessReview",
    "authorization.k8s.io",
    { resourceAttributes: asked },
    { allowed: true },
  ],
  [
    "SubjectAccessReview",
    "authorization.k8s.io",
    { user: "jane", resourceAttributes: asked },
    { allowed: true },
  ],
  [
    "SelfSubjectRulesReview",
    "authorization.k8s.io",
    { namespace: "default" },
    { incomplete: expect.any(Boolean) as unknown },
  ],
  ["TokenReview", "authentication.k8s.io", { token: "nothing" }, {}],
])(
  "a %s is created without a name, or without metadata (CLI-6)",
  async (kind, group, spec, seen) => {
    const api = new FakeApiServer();
    const connection = createConnection({ server: "http://fake", fetch: api.fetch });
    const reviews = createClient(connection).resource(review(kind, group));
    for (const object of [{ spec }, { metadata: {}, spec }]) {
      expect(await reviews.create(object)).toMatchObject({ kind, status: seen });
    }
  },
);

test("a SelfSubjectReview needs no members at all (CLI-6)", async () => {
  const api = new FakeApiServer();
  const connection = createConnection({ server: "http://fake", fetch: api.fetch });
  const handle = review("SelfSubjectReview", "authentication.k8s.io");
  const { status } = await createClient(connection).resource(handle).create({});
  expect(typeof status?.userInfo?.username).toBe("string");
});

test("a namespaced review is sent to its namespace (CLI-6)", async () => {
  const { connection, requests } = answering(() => Response.json({}));
  const handle = review("LocalSubjectAccessReview", "authorization.k8s.io", "Namespaced");
  const client = createClient(connection);
  await client.resource(handle).create({ metadata: { namespace: "shop" } });
  await client.in("shop").resource(handle).create({ spec: {} });
  const path =
    "/apis/authorization.k8s.io/v1/namespaces/shop/localsubjectaccessreviews?fieldValidation=Strict";
  expect(requests.map(({ url }) => url)).toEqual([`http://server${path}`, `http://server${path}`]);
  const lost = await failureOf(client.resource(handle).create({ spec: {} }));
  expect(lost).toMatchObject({ code: "LW_INVALID_NAME", part: "namespace" });
});

test("any other object still needs a name (CLI-6)", async () => {
  const { connection, requests } = answering(() => Response.json({}));
  const nodes = createClient(connection).resource({ group: "", version: "v1", resource: "nodes" });
  expect(isStatusError(await failureOf(nodes.create({})))).toBe(false);
  expect(requests).toEqual([]);
});
