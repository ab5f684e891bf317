import {
  FakeApiServer,
  type FakeApiServerOptions,
  InvalidOptionsError,
} from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";

type Seeds = NonNullable<FakeApiServerOptions["objects"]>;

function configMap(name: string, namespace?: string) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } };
}

function namespaceObject(name: string, annotations?: Readonly<Record<string, string>>) {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, annotations } };
}

function start(options: FakeApiServerOptions) {
  const server = new FakeApiServer({ seed: 1, ...options });
  const client = new ApiClient(server);
  const namespaces = async () =>
    (await client.get("/api/v1/namespaces")).body["items"].map(
      ({ metadata }: { metadata: { name: string } }) => metadata.name,
    );
  return { client, namespaces };
}

const ofCluster = ["default", "kube-node-lease", "kube-public", "kube-system"];

describe("the namespaces of seeds", () => {
  test("are created where they are missing, so that the next create there works", async () => {
    const objects = [configMap("a", "team"), configMap("b", "team"), configMap("c")];
    const { client, namespaces } = start({ objects });
    expect(await namespaces()).toEqual([...ofCluster, "team"]);
    const { body } = await client.get("/api/v1/namespaces/team");
    expect(body).toMatchObject({
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
    const created = await client.call("POST", "/api/v1/namespaces/team/configmaps", configMap("d"));
    expect(created.status).toBe(201);
  });

  test("may be seeds themselves, before or after their objects", async () => {
    const objects = [configMap("a", "team"), namespaceObject("team", { by: "seed" })];
    const { client, namespaces } = start({ objects });
    expect(await namespaces()).toEqual([...ofCluster, "team"]);
    const { body } = await client.get("/api/v1/namespaces/team");
    expect(body["metadata"].annotations).toEqual({ by: "seed" });
  });

  test("are not created for a permissive server, which needs none", async () => {
    const objects = [configMap("a", "team")];
    const { namespaces } = start({ objects, namespaces: "permissive" });
    expect(await namespaces()).toEqual(ofCluster);
  });
});

describe("invalid seeds are rejected with their position", () => {
  const badLabels = { apiVersion: "v1", kind: "ConfigMap", metadata: { labels: { a: "b c" } } };
  const cases: readonly (readonly [message: string, objects: Seeds])[] = [
    [
      'objects[1]: the server has no resource for {"apiVersion":"v1","kind":"Podd"}',
      [configMap("a"), { apiVersion: "v1", kind: "Podd", metadata: { name: "p" } }],
    ],
    ['objects[0]: ConfigMap "A_" is invalid: metadata.name', [configMap("A_")]],
    [
      "objects[2]: ConfigMap default/a is there twice, first as objects[0]",
      [configMap("a"), configMap("a", "other"), configMap("a", "default")],
    ],
    [
      "objects[1]: Namespace team is there twice, first as objects[0]",
      [namespaceObject("team"), namespaceObject("team")],
    ],
    ["objects[0]: ", [badLabels]],
  ];
  test.each(cases)("%s", (message, objects) => {
    const create = () => new FakeApiServer({ objects });
    expect(create).toThrow(InvalidOptionsError);
    expect(create).toThrow(`Cannot use the option ${message}`);
    const option = message.slice(0, message.indexOf(":"));
    expect(create).toThrow(expect.objectContaining({ code: "LW_INVALID_OPTIONS", option }));
  });

  test("but a seed that replaces a default object is accepted", async () => {
    const { client } = start({ objects: [namespaceObject("default", { by: "seed" })] });
    const { body } = await client.get("/api/v1/namespaces/default");
    expect(body["metadata"].annotations).toEqual({ by: "seed" });
  });
});

describe("seeds of a cluster", () => {
  const identity = {
    uid: "0a0a0a0a-0000-4000-8000-000000000001",
    resourceVersion: "77",
    creationTimestamp: "2026-01-01T00:00:00Z",
  };

  test("are stored as they are, without the checks and defaults of new objects", async () => {
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...identity, name: "p", namespace: "team", generation: 3 },
      spec: {
        containers: [{ name: "c", image: "i" }],
        ephemeralContainers: [{ name: "debug", image: "i" }],
        priorityClassName: "not-in-the-dump",
      },
      status: { phase: "Running" },
    };
    const { client } = start({ objects: [pod] });
    const { body } = await client.get("/api/v1/namespaces/team/pods/p");
    expect(body["metadata"]).toMatchObject({ ...identity, resourceVersion: expect.any(String) });
    expect(body).toMatchObject({ metadata: { generation: 3 }, status: { phase: "Running" } });
    expect(body["spec"]).toMatchObject({ priorityClassName: "not-in-the-dump" });
  });

  test("stay without their owners, and nothing is logged", async () => {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "gone", uid: "u" };
    const child = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", ownerReferences: [owner] },
    };
    const lines: unknown[] = [];
    const note = (message: string, fields?: object): void => void lines.push([message, fields]);
    const log = { debug: note, info: note, warn: note, error: note };
    const { client } = start({ objects: [child], log });
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    expect((await client.get("/api/v1/namespaces/default/configmaps/a")).status).toBe(200);
    expect(lines).toEqual([]);
  });
});
