import {
  Collection,
  createClient,
  defineResource,
  InvalidNameError,
  isDeleted,
  waitFor,
  type Connection,
} from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";

const pods = { group: "", version: "v1", resource: "pods" };
const nodes = { group: "", version: "v1", resource: "nodes" };
const deployments = { group: "apps", version: "v1", resource: "deployments" };

/** Invalid path segments. As a name, each of them would address another object or many. */
const unusable = ["", ".", "..", "a/b", "../..", "%2e%2e", "a%", "\ud800", 7, null, {}, ["a"]];

/** Makes a client that accepts untyped values, as in JavaScript programs. */
function connect() {
  const { connection, requests } = answering(() => Response.json({ kind: "Pod", items: [] }));
  return { client: createClient(connection), connection, requests };
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function untyped<T>(value: unknown): T {
  return value as T;
}

describe("a request is rejected before it is sent", () => {
  test.each(unusable)("when its key has the name %j", async (name) => {
    const { client, requests } = connect();
    const key = untyped<string>(typeof name === "string" ? `prod/${name}` : name);
    const inPods = client.resource(pods);
    for (const call of [
      () => inPods.get(key),
      () => inPods.patch(key, {}),
      () => inPods.patchStatus(key, {}),
      () => inPods.delete(key),
    ]) {
      expect(await failureOf(call())).toMatchObject({
        code: expect.stringMatching(/^LW_(INVALID_NAME|KEY_FORMAT)$/),
      });
    }
    expect(requests).toEqual([]);
  });

  test.each(["", ".", ".."])("when its key is %j, which would address all nodes", async (key) => {
    const { client, requests } = connect();
    const failure = await failureOf(client.resource(nodes).delete(key));
    expect(failure).toBeInstanceOf(InvalidNameError);
    expect(failure).toMatchObject({ part: "name", value: key });
    expect(requests).toEqual([]);
  });

  test.each(unusable)("when its object has the name %j", async (name) => {
    const { client, requests } = connect();
    const object = untyped<KubernetesObject>({ metadata: { namespace: "prod", name } });
    expect(await failureOf(client.resource(pods).update(object))).toBeInstanceOf(Error);
    expect(await failureOf(client.resource(pods).updateStatus(object))).toBeInstanceOf(Error);
    expect(requests).toEqual([]);
  });

  test.each([".", "..", "a/b", "../..", "%2e%2e", "\ud800", 7, {}])(
    "when its object has the namespace %j",
    async (namespace) => {
      const { client, requests } = connect();
      const object = untyped<KubernetesObject>({ metadata: { namespace, name: "a" } });
      const inPods = client.resource(pods);
      expect(String(await failureOf(inPods.create(object)))).toContain("namespace");
      expect(await failureOf(inPods.update(object))).toBeInstanceOf(Error);
      expect(requests).toEqual([]);
    },
  );

  test("when a created object has neither name nor generateName", async () => {
    const { client, requests } = connect();
    const inPods = client.resource(pods);
    for (const metadata of [undefined, {}, { name: "" }, { name: null }, { namespace: "prod" }]) {
      const object = untyped<KubernetesObject>({ metadata });
      expect(await failureOf(inPods.create(object))).toBeInstanceOf(Error);
    }
    expect(requests).toEqual([]);
    await inPods.create(untyped({ metadata: { namespace: "prod", generateName: "a-" } }));
    expect(requests.map(({ url }) => url)).toEqual([
      "http://server/api/v1/namespaces/prod/pods?fieldValidation=Strict",
    ]);
  });

  test.each(["", ".", "..", "status/..", "%2e", 7])(
    "when its subresource is %j",
    async (subresource) => {
      const { client, requests } = connect();
      const part = client.resource(pods).subresource(untyped<"status">(subresource));
      const failure = await failureOf(part.patch("prod/a", {}));
      expect(failure).toMatchObject({ part: "subresource" });
      expect(requests).toEqual([]);
    },
  );

  test.each([
    ["group", { ...deployments, group: ".." }],
    ["group", { ...deployments, group: "apps/v1" }],
    ["version", { ...deployments, version: "" }],
    ["version", { ...deployments, version: ".." }],
    ["resource", { ...pods, resource: "" }],
    ["resource", { ...pods, resource: "namespaces/prod" }],
    ["resource", { ...pods, resource: "../namespaces" }],
  ])("when the %s of its resource is not a path segment: %j", async (part, resource) => {
    const { client, connection, requests } = connect();
    expect(await failureOf(client.resource(resource).delete("prod/a"))).toMatchObject({ part });
    expect(() => new Collection({ connection, resource })).toThrow(InvalidNameError);
    expect(requests).toEqual([]);
  });

  test("when a handle of a namespaced resource gets a name without namespace", async () => {
    const { client, requests } = connect();
    const handle = defineResource<KubernetesObject>({
      ...pods,
      kind: "Pod",
      scope: "Namespaced",
    });
    const inPods = client.resource(handle);
    expect(await failureOf(inPods.delete(untyped("a")))).toMatchObject({ part: "namespace" });
    expect(await failureOf(inPods.create({ metadata: { name: "a" } }))).toMatchObject({
      part: "namespace",
    });
    expect(requests).toEqual([]);
  });
});

test.each(["..", ".", "prod/pods/..", "%2e%2e", "\udfff", 7])(
  "lists and watches of the namespace %j are rejected, which would address other objects",
  (namespace) => {
    const connection = untyped<Connection>({ server: "http://server", fetch: () => undefined });
    const options = { connection, resource: pods, namespace: untyped<string>(namespace) };
    expect(() => new Collection(options)).toThrow(
      expect.objectContaining({ code: "LW_INVALID_NAME", part: "namespace" }),
    );
  },
);

describe("an untyped argument addresses no more than it names", () => {
  test("a namespace that is null does not mean all namespaces", async () => {
    const { client, requests } = connect();
    const inPods = client.resource(pods);
    const namespace = untyped<string>(null);
    for (const call of [
      () => inPods.list({ namespace }),
      () => inPods.deleteCollection({ namespace, all: true }),
      () => inPods.items({ namespace })[Symbol.asyncIterator]().next(),
      () => inPods.watch({ namespace })[Symbol.asyncIterator]().next(),
    ]) {
      expect(await failureOf(call())).toBeInstanceOf(InvalidNameError);
    }
    expect(requests).toEqual([]);
  });

  test.each([
    { labelSelector: " " },
    { labelSelector: "\t\n" },
    { fieldSelector: "," },
    { fieldSelector: " ,, " },
    { labelSelector: null },
    { labelSelector: {} },
    { fieldSelector: ["a=b"] },
    { all: "false" },
    { all: 1 },
    { all: true, dryRun: "All" },
    { all: true, resourceVersion: null },
  ])("deleteCollection with %j is rejected", async (options) => {
    const { client, requests } = connect();
    const call = client.resource(pods).deleteCollection(untyped(options));
    expect(await failureOf(call)).toMatchObject({ code: "LW_INVALID_OPTIONS" });
    expect(requests).toEqual([]);
  });

  test("a dry run that is not a boolean, and a condition that is not a string, are rejected", async () => {
    const { client, requests } = connect();
    const inPods = client.resource(pods);
    const dryRun = untyped<boolean>("All");
    const object = { metadata: { namespace: "prod", name: "a" } };
    for (const call of [
      () => inPods.create(object, { dryRun }),
      () => inPods.update(object, { dryRun }),
      () => inPods.patch("prod/a", {}, { dryRun }),
      () => inPods.delete("prod/a", { dryRun }),
      () => inPods.evict("prod/a", { dryRun }),
      () => inPods.delete("prod/a", { uid: untyped<string>(null) }),
      () => inPods.delete("prod/a", { uid: "" }),
    ]) {
      expect(await failureOf(call())).toMatchObject({ code: "LW_INVALID_OPTIONS" });
    }
    expect(requests).toEqual([]);
  });

  test("a client that stores nothing evicts nothing", async () => {
    const { connection, requests } = answering(() => Response.json({ kind: "Status" }));
    await createClient(connection, { dryRun: true }).resource(pods).evict("prod/a");
    expect(await requests[0]?.json()).toMatchObject({ deleteOptions: { dryRun: ["All"] } });
  });

  test.each([
    "@other/x",
    ".other/x",
    ":80@other/x",
    "",
    "x",
    "//other/x",
    "\\\\other/x",
    "/api/v1/namespaces/../nodes",
    "/api/v1/namespaces/%2E./nodes",
    "/api/.\t./x",
    "/api/v1/pods/a\\..\\b",
    "/api/v1/pods#x",
    "/..",
    7,
    null,
  ])("the path %j of a request is rejected", async (path) => {
    const { client, requests } = connect();
    const call = client.request({ method: "GET", path: untyped<string>(path) });
    expect(await failureOf(call)).toMatchObject({ code: "LW_INVALID_OPTIONS", option: "path" });
    expect(requests).toEqual([]);
  });

  test.each(["/api/v1/pods?continue=../x", "/api/v1/a..b/...", "/é"])(
    "the path %j of a request is accepted",
    async (path) => {
      const { client, requests } = connect();
      await client.request({ method: "GET", path });
      expect(decodeURI(requests[0]?.url ?? "")).toBe(`http://server${path}`);
    },
  );

  test.each(["", "prod/", "/a", "a", "prod/..", "../a", "prod/a%2fb"])(
    "a wait for %j is rejected, which would wait for no object or for all namespaces",
    async (key) => {
      const { client, requests } = connect();
      const handle = defineResource<KubernetesObject>({
        ...pods,
        kind: "Pod",
        scope: "Namespaced",
      });
      const wait = waitFor(client.resource(handle), untyped(key), isDeleted);
      expect(await failureOf(wait)).toBeInstanceOf(InvalidNameError);
      expect(requests).toEqual([]);
    },
  );

  test("a wait selects one name, whatever characters it has", async () => {
    const list = { kind: "PodList", metadata: { resourceVersion: "1" }, items: [] };
    const { connection, requests } = answering(() => Response.json(list));
    await waitFor(createClient(connection).resource(pods), "prod/a,b=c", isDeleted);
    const selector = new URL(requests[0]?.url ?? "").searchParams.get("fieldSelector");
    expect(selector).toBe(String.raw`metadata.name=a\,b\=c`);
  });

  test("a server cannot redirect discovery with the names of groups", async () => {
    const names = ["../api/v1/secrets", "a/b/c", "..", "a/..", "ok/v1"];
    const versions = names.map((groupVersion) => ({ groupVersion }));
    const { connection, requests } = answering((request) =>
      Response.json(request.url.endsWith("/apis") ? { groups: [{ versions }] } : {}),
    );
    const { stale } = await createClient(connection).discovery.resources();
    expect(stale).toEqual(names.slice(0, 4));
    expect(requests.map(({ url }) => new URL(url).pathname).toSorted()) //
      .toEqual(["/api", "/api/v1", "/apis", "/apis/ok/v1"]);
  });
});

test("an object with a slash in its name is not taken for another one", async () => {
  const { client, requests } = connect();
  const failure = await failureOf(client.resource(nodes).update({ metadata: { name: "prod/a" } }));
  expect(failure).toMatchObject({ code: "LW_INVALID_NAME", part: "name", value: "prod/a" });
  expect(requests).toEqual([]);
});

test("characters allowed in a segment arrive unchanged", async () => {
  const { client, requests } = connect();
  const key = "pr od/a?b#c\\d:e;f=é…";
  await client.resource(deployments).get(key);
  const { origin, pathname, search } = new URL(requests[0]?.url ?? "");
  expect([origin, search]).toEqual(["http://server", ""]);
  const path = pathname.split("/").map((segment) => decodeURIComponent(segment));
  expect(path).toEqual(`/apis/apps/v1/namespaces/pr od/deployments/${key.slice(6)}`.split("/"));
});

test("the error has the part, the expected and the actual value", () => {
  expect(new InvalidNameError("namespace", "..").message).toBe(
    'Cannot make a path of the namespace: expected a text without "/" and "%" that is not empty, ' +
      '"." or "..", got the string ".."',
  );
});
