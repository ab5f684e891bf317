import {
  type AdmissionPlugin,
  type AdmissionRequest,
  FakeApiServer,
  type FakeApiServerOptions,
} from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps, type Json } from "../support/api-client.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const things = "/apis/example.com/v1/namespaces/default/things";

function clientOf(
  admission: readonly AdmissionPlugin[],
  options: FakeApiServerOptions = {},
): ApiClient {
  return new ApiClient(new FakeApiServer({ admission, seed: 1, ...options }));
}

/** Records its requests. */
function observer(match?: AdmissionPlugin["match"]): {
  readonly plugin: AdmissionPlugin;
  readonly seen: AdmissionRequest[];
} {
  const seen: AdmissionRequest[] = [];
  const validate = (request: AdmissionRequest): void => {
    seen.push(request);
  };
  return { seen, plugin: { name: "observer", match, validate } };
}

const labelling: AdmissionPlugin = {
  name: "labels",
  mutate: ({ object }) => ({
    ...object,
    metadata: { ...object?.metadata, labels: { team: "a" } },
  }),
};

const deployment = {
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "nginx" }] },
    },
  },
};

const thingDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer", maximum: 9 },
                  colour: { type: "string", default: "red" },
                },
              },
            },
          },
        },
      },
    ],
  },
};

describe("a validating plugin", () => {
  test("receives a write like a webhook (ADM-10)", async () => {
    const { plugin, seen } = observer();
    const client = clientOf([plugin]);
    await client.call("POST", `${configMaps}?fieldManager=me&dryRun=All`, {
      metadata: { name: "a" },
      data: { k: "v" },
    });
    expect(seen).toEqual([
      {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        kind: { group: "", version: "v1", kind: "ConfigMap" },
        resource: { group: "", version: "v1", resource: "configmaps" },
        subResource: "",
        name: "a",
        namespace: "default",
        operation: "CREATE",
        userInfo: {
          username: "kubernetes-admin",
          groups: ["system:masters", "system:authenticated"],
        },
        object: expect.objectContaining({
          apiVersion: "v1",
          kind: "ConfigMap",
          data: { k: "v" },
        }) as object,
        oldObject: null,
        dryRun: true,
        options: {
          kind: "CreateOptions",
          apiVersion: "meta.k8s.io/v1",
          dryRun: ["All"],
          fieldManager: "me",
        },
      },
    ]);
  });

  test("is called for every kind of write (ADM-10)", async () => {
    const { plugin, seen } = observer();
    const client = clientOf([plugin]);
    await client.call("POST", deployments, deployment);
    await client.call("PATCH", `${deployments}/d`, { metadata: { labels: { a: "b" } } });
    await client.call("PATCH", `${deployments}/d/status`, { status: { replicas: 1 } });
    await client.call("PATCH", `${deployments}/d/scale`, { spec: { replicas: 2 } });
    await client.createConfigMap("gone");
    await client.call("DELETE", configMaps);
    await client.call("DELETE", `${deployments}/d`);
    await client.get(deployments);
    expect(
      seen.map(
        ({ kind, name, object, oldObject, operation, subResource }) =>
          `${operation} ${kind.kind} ${name} ${subResource} ${Number(object !== null)}${Number(oldObject !== null)}`,
      ),
    ).toEqual([
      "CREATE Deployment d  10",
      "UPDATE Deployment d  11",
      "UPDATE Deployment d status 11",
      "UPDATE Scale d scale 11",
      "CREATE ConfigMap gone  10",
      "DELETE ConfigMap gone  01",
      "DELETE Deployment d  01",
    ]);
  });

  test.each([
    [{ message: "no such names" }, 403, "Forbidden", ": no such names"],
    [{}, 403, "Forbidden", " without explanation"],
    [{ code: 422, reason: "Invalid", message: "x" }, 422, "Invalid", ": x"],
    [{ code: 400 }, 400, undefined, " without explanation"],
  ])("rejects with %o (ADM-10)", async (verdict, code, reason, words) => {
    const plugin = { name: "strict.io", validate: () => ({ allowed: false, ...verdict }) };
    const client = clientOf([plugin]);
    const { body, status } = await client.createConfigMap("a");
    expect(status).toBe(code);
    expect(body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `admission webhook "strict.io" denied the request${words}`,
      ...(reason === undefined ? {} : { reason }),
      code,
    });
    expect((await client.get(`${configMaps}/a`)).status).toBe(404);
  });

  test("warns, even when it or another plugin rejects (ADM-10)", async () => {
    const client = clientOf([
      { name: "a", validate: () => ({ allowed: true, warnings: ["careful"] }) },
      { name: "b", validate: () => ({ allowed: false, warnings: ["stop"] }) },
    ]);
    const { headers } = await client.createConfigMap("a");
    expect(headers.get("warning")).toBe('299 - "careful", 299 - "stop"');
  });

  test("can prevent a deletion (ADM-10)", async () => {
    const match = { operations: ["DELETE"] } as const;
    const client = clientOf([{ name: "keep", match, validate: () => ({ allowed: false }) }]);
    await client.createConfigMap("a");
    expect((await client.call("DELETE", `${configMaps}/a`)).status).toBe(403);
    expect((await client.get(`${configMaps}/a`)).status).toBe(200);
  });

  test("runs after the validation of the object, and sees the result of mutations (ADM-12)", async () => {
    const { plugin, seen } = observer();
    const client = clientOf([plugin, labelling]);
    expect((await client.call("POST", configMaps, { metadata: { name: "A" } })).status).toBe(422);
    expect(seen).toEqual([]);
    await client.createConfigMap("a");
    expect(seen[0]?.object).toMatchObject({ metadata: { labels: { team: "a" } } });
  });
});

describe("a mutating plugin", () => {
  const colouring = (spec: object): AdmissionPlugin => ({
    name: "colours",
    match: { apiGroups: ["example.com"] },
    mutate: (request) => ({ ...request.object, spec }),
  });
  const thing = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "t" }, spec: {} };

  test("returns another object, a patch, or changes its argument (ADM-10)", async () => {
    const client = clientOf([
      labelling,
      { name: "patch", mutate: () => [{ op: "add", path: "/data/patched", value: "yes" }] },
      {
        name: "place",
        mutate: ({ object }) => {
          if (object !== null) object["data"] = { ...(object["data"] as Json), changed: "yes" };
        },
      },
    ]);
    const { body, status } = await client.createConfigMap("a", { k: "v" });
    expect(status).toBe(201);
    expect(body["data"]).toEqual({ k: "v", patched: "yes", changed: "yes" });
    expect(body["metadata"]["labels"]).toEqual({ team: "a" });
    const updated = await client.updateConfigMap("a", { k: "w" });
    expect(updated.body["data"]).toEqual({ k: "w", patched: "yes", changed: "yes" });
  });

  test("does not own the fields that it changes (ADM-12)", async () => {
    const { body } = await clientOf([labelling]).createConfigMap("a", { k: "v" });
    expect(JSON.stringify(body["metadata"]["managedFields"])).not.toContain("f:labels");
  });

  test("cannot change the identity of the object", async () => {
    const renaming: AdmissionPlugin = {
      name: "rename",
      mutate: ({ object }) => ({ ...object, metadata: { name: "b", uid: "mine" } }),
    };
    const { body } = await clientOf([renaming]).createConfigMap("a");
    expect(body["metadata"]["name"]).toBe("a");
    expect(body["metadata"]["uid"]).not.toBe("mine");
  });

  test("is followed by another round of defaults and pruning (ADM-12)", async () => {
    const options = { crds: [thingDefinition] };
    const client = clientOf([colouring({ size: 3, bogus: true })], options);
    const { body } = await client.call("POST", things, thing);
    expect(body["spec"]).toEqual({ size: 3, colour: "red" });
    const container = { name: "side", image: "busybox" };
    const adding: AdmissionPlugin = {
      name: "side",
      match: { resources: ["deployments"] },
      mutate: () => [{ op: "add", path: "/spec/template/spec/containers/-", value: container }],
    };
    const created = await clientOf([adding]).call("POST", deployments, deployment);
    expect(created.body["spec"]["template"]["spec"]["containers"][1]).toMatchObject({
      ...container,
      imagePullPolicy: "Always",
    });
  });

  test("is followed by the validation of the object (ADM-12)", async () => {
    const options = { crds: [thingDefinition] };
    const client = clientOf([colouring({ size: 10 })], options);
    const { status } = await client.call("POST", things, thing);
    expect(status).toBe(422);
  });

  test.each([
    ["returns no object", () => 5],
    ["returns an object without metadata", () => ({})],
    ["returns a promise", () => Promise.resolve({})],
    ["returns a patch that does not fit", () => [{ op: "remove", path: "/nope" }]],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
  ])("that %s causes an internal error", async (_what, mutate) => {
    const plugin = { name: "broken", mutate } as unknown as AdmissionPlugin;
    expect((await clientOf([plugin]).createConfigMap("a")).status).toBe(500);
  });
});

describe("the match of a plugin", () => {
  test.each([
    [undefined, ["", "status", "scale"]],
    [{ resources: ["deployments"] }, [""]],
    [{ resources: ["deployments/status"] }, ["status"]],
    [{ resources: ["deployments/*"] }, ["", "status", "scale"]],
    [{ resources: ["*"] }, [""]],
    [{ resources: ["*/scale"] }, ["scale"]],
    [{ apiGroups: ["apps"] }, ["", "status", "scale"]],
    [{ apiGroups: ["*"], resources: ["pods"] }, []],
    [{ apiGroups: [""] }, []],
    [{ operations: ["CREATE"] as const }, []],
  ])("%o matches updates of %j", async (match, subresources) => {
    const { plugin, seen } = observer(match);
    const client = clientOf([plugin]);
    await client.call("POST", deployments, deployment);
    seen.length = 0;
    await client.call("PATCH", `${deployments}/d`, { metadata: { labels: { a: "b" } } });
    await client.call("PATCH", `${deployments}/d/status`, { status: { replicas: 1 } });
    await client.call("PATCH", `${deployments}/d/scale`, { spec: { replicas: 2 } });
    expect(seen.map(({ subResource }) => subResource)).toEqual(subresources);
  });

  test.each([
    ["no plugin", [1]],
    ["one without a name", [{}]],
    ["one whose function is none", [{ name: "a", validate: "no" }]],
  ])("and the other options are validated: %s", (_what, admission) => {
    const options = { admission } as unknown as FakeApiServerOptions;
    expect(() => new FakeApiServer(options)).toThrow(/admission/);
  });
});
