import { FakeApiServer, InvalidOptionsError } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { podSpec } from "../support/valid-specs.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const widgets = "/apis/example.com/v1/namespaces/default/widgets";

const spec = {
  type: "object",
  properties: { size: { type: "integer", maximum: 100 }, mode: { type: "string" } },
};

function version(name: string, options: object = {}, specSchema: object = spec): object {
  return {
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: { type: "object", properties: { spec: specSchema } } },
    ...options,
  };
}

function definition(plural: string, kind: string, versions: readonly object[]): Json {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural, kind },
      versions,
    },
  };
}

function widget(name: string, fields: object = {}): Json {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name }, spec: fields };
}

async function setUp(versions: readonly object[] = [version("v1")]): Promise<ApiClient> {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const { status } = await client.call(
    "POST",
    definitions,
    definition("widgets", "Widget", versions),
  );
  expect(status).toBe(201);
  return client;
}

function conditions(crd: Json): Json {
  const list = crd["status"]["conditions"] as readonly Json[];
  return Object.fromEntries(list.map(({ reason, status, type }) => [type, `${status} ${reason}`]));
}

describe("a definition", () => {
  test("is served before its create is answered, and its status reports that", async () => {
    const client = await setUp();
    expect((await client.get(widgets)).body["items"]).toEqual([]);
    const { body } = await client.get(`${definitions}/widgets.example.com`);
    expect(conditions(body)).toEqual({
      NamesAccepted: "True NoConflicts",
      Established: "True InitialNamesAccepted",
    });
    expect(body["status"]).toMatchObject({
      acceptedNames: {
        plural: "widgets",
        singular: "widget",
        kind: "Widget",
        listKind: "WidgetList",
      },
      storedVersions: ["v1"],
    });
  });

  test("can be given to the constructor, together with objects of its kind", async () => {
    const crd = definition("widgets", "Widget", [version("v1")]);
    const crds = [{ ...crd, metadata: { name: "widgets.example.com" } }];
    const server = new FakeApiServer({
      crds,
      objects: [
        { ...widget("a", { size: 3 }), metadata: { name: "a" }, status: { phase: "kept" } },
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "p", uid: "given", creationTimestamp: "2020-01-01T00:00:00Z" },
          spec: podSpec,
          status: { phase: "Running" },
        },
      ],
    });
    const client = new ApiClient(server);
    expect((await client.get(`${widgets}/a`)).body["spec"]).toEqual({ size: 3 });
    const { body } = await client.get("/api/v1/namespaces/default/pods/p");
    expect(body).toMatchObject({
      metadata: { uid: "given", creationTimestamp: "2020-01-01T00:00:00Z" },
      status: { phase: "Running" },
    });
    const unknown = { apiVersion: "no.example.com/v1", kind: "Nothing", metadata: { name: "n" } };
    expect(() => new FakeApiServer({ objects: [unknown] })).toThrow(InvalidOptionsError);
    const invalid = { ...widget("b", { size: 101 }), metadata: { name: "b" } };
    expect(() => new FakeApiServer({ crds, objects: [invalid] })).toThrow(
      'Cannot use the option objects[0]: Widget.example.com "b" is invalid: ',
    );
  });

  test("whose names are taken is not served until they are free", async () => {
    const client = await setUp();
    await client.call("POST", definitions, definition("others", "Widget", [version("v1")]));
    const others = "/apis/example.com/v1/namespaces/default/others";
    const before = await client.get(`${definitions}/others.example.com`);
    expect(conditions(before.body)).toEqual({
      NamesAccepted: "False ListKindConflict",
      Established: "False NotAccepted",
    });
    expect((await client.send("GET", others)).status).toBe(404);
    await client.call("DELETE", `${definitions}/widgets.example.com`);
    expect((await client.get(others)).status).toBe(200);
  });

  test("whose schema changes ends its watches, and stored objects get new defaults (API-0.11)", async () => {
    const client = await setUp();
    const { body: created } = await client.call("POST", widgets, widget("a", { size: 1 }));
    const watch = await client.watch(`${widgets}?watch=1`);
    expect(await watch.take(1)).toEqual(["ADDED a"]);
    const mode = { type: "string", default: "auto" };
    const changed = version("v1", {}, { ...spec, properties: { ...spec.properties, mode } });
    const patch = { spec: { versions: [changed] } };
    const { body: patched } = await client.call(
      "PATCH",
      `${definitions}/widgets.example.com`,
      patch,
    );
    expect(patched["metadata"]["generation"]).toBe(2);
    expect(await watch.rest()).toEqual([]);
    const { body } = await client.get(`${widgets}/a`);
    expect(body).toEqual({ ...created, spec: { size: 1, mode: "auto" } });
    const list = await client.get(
      `${widgets}?resourceVersion=${created["metadata"]["resourceVersion"]}&limit=5`,
    );
    expect(list.body["items"]).toEqual([body]);
  });

  test("whose labels change continues its watches", async () => {
    const client = await setUp();
    const watch = await client.watch(`${widgets}?watch=1`);
    const path = `${definitions}/widgets.example.com`;
    await client.call("PATCH", path, { metadata: { labels: { a: "b" } } });
    await client.call("POST", widgets, widget("a"));
    expect(await watch.take(1)).toEqual(["ADDED a"]);
  });

  test("deletes its objects when it is deleted, and waits for their finalizers", async () => {
    const client = await setUp();
    await client.call("POST", widgets, widget("a"));
    const held = { ...widget("b"), metadata: { name: "b", finalizers: ["example.com/x"] } };
    await client.call("POST", widgets, held);
    const watch = await client.watch(`${widgets}?watch=1`);
    await watch.take(2);
    const path = `${definitions}/widgets.example.com`;
    const { body } = await client.call("DELETE", path);
    expect(body["metadata"]["finalizers"]).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    expect(conditions(body)["Terminating"]).toBe("True InstanceDeletionPending");
    expect(await watch.take(2)).toEqual(["DELETED a", "MODIFIED b"]);
    const refusal = await client.call("POST", widgets, widget("c"));
    expect(refusal.status).toBe(403);
    expect(refusal.body["message"]).toContain(
      "create not allowed while custom resource definition is terminating",
    );
    await client.call("PATCH", `${widgets}/b`, { metadata: { finalizers: null } });
    expect(await watch.rest()).toEqual(["DELETED b"]);
    expect((await client.get(path)).status).toBe(404);
    const gone = await client.send("GET", widgets);
    expect(gone.status).toBe(404);
    expect(await gone.text()).toBe("404 page not found\n");
  });

  test("is restored with its resource by a snapshot", async () => {
    const server = new FakeApiServer({ seed: 1 });
    const client = new ApiClient(server);
    const before = server.control.snapshot();
    await client.call("POST", definitions, definition("widgets", "Widget", [version("v1")]));
    const after = server.control.snapshot();
    server.control.restore(before);
    expect((await client.send("GET", widgets)).status).toBe(404);
    server.control.restore(after);
    expect((await client.get(widgets)).status).toBe(200);
  });
});

describe("versions of a definition", () => {
  test("present the same object, each by its own schema", async () => {
    const beta = {
      type: "object",
      properties: { size: spec.properties.size, level: { type: "integer", default: 7 } },
    };
    const client = await setUp([version("v1"), version("v1beta1", { deprecated: true }, beta)]);
    await client.call("POST", widgets, widget("a", { size: 1, mode: "x" }));
    const old = "/apis/example.com/v1beta1/namespaces/default/widgets";
    const { body, headers } = await client.get(`${old}/a`);
    expect(body).toMatchObject({ apiVersion: "example.com/v1beta1", spec: { size: 1, level: 7 } });
    expect(body["spec"]).not.toHaveProperty("mode");
    expect(headers.get("warning")).toBe(
      '299 - "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget"',
    );
    const watch = await client.watch(`${old}?watch=1`);
    expect((await watch.next())?.object).toEqual(body);
    expect((await client.get(old)).body["items"]).toEqual([body]);
    expect((await client.get(`${widgets}/a`)).body["spec"]).toEqual({ size: 1, mode: "x" });
  });
});
