import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { claimSpec, podSpec, template, workloadSpec } from "../support/valid-specs.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const jobs = "/apis/batch/v1/namespaces/default/jobs";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const pods = "/api/v1/namespaces/default/pods";
const podTemplates = "/api/v1/namespaces/default/podtemplates";
const priorityClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";
const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
const webhooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const webhook = {
  name: "w.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  clientConfig: { url: "https://example.com" },
};

function setUp(): { client: ApiClient; server: FakeApiServer; clock: ManualClock } {
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678));
  const server = new FakeApiServer({ clock, seed: 1 });
  return { client: new ApiClient(server), server, clock };
}

describe("a create", () => {
  test("adds the server's fields and drops fields that only the server may set", async () => {
    const { client, server } = setUp();
    const metadata = {
      name: "a",
      uid: "mine",
      generation: 9,
      creationTimestamp: "2001-01-01T00:00:00Z",
      deletionTimestamp: "2001-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 3,
      selfLink: "/x",
      finalizers: [],
      labels: {},
    };
    const { body, status } = await client.call("POST", configMaps, { metadata });
    expect(status).toBe(201);
    expect(body).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a",
        namespace: "default",
        uid: expect.stringMatching(/^[0-9a-f]{8}-/) as string,
        resourceVersion: String(server.control.revision),
        generation: 9,
        creationTimestamp: "2026-01-02T03:04:05Z",
      },
    });
  });

  test("records the owners of its fields, whatever the client sends", async () => {
    const { client } = setUp();
    const managedFields = [{ manager: "me", operation: "Update", fieldsType: "FieldsV1" }];
    const object = { metadata: { name: "a", managedFields, labels: { x: "y" } }, data: { k: "v" } };
    const created = await client.call("POST", `${configMaps}?fieldManager=tool`, object);
    expect(created.body["metadata"]["managedFields"]).toEqual([
      {
        manager: "tool",
        operation: "Update",
        apiVersion: "v1",
        time: "2026-01-02T03:04:05Z",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:data": { ".": {}, "f:k": {} },
          "f:metadata": { "f:labels": { ".": {}, "f:x": {} } },
        },
      },
    ]);
    const clearing = { metadata: { managedFields: [{}] } };
    const cleared = await client.call("PATCH", `${configMaps}/a`, clearing);
    expect(cleared.body["metadata"]).not.toHaveProperty("managedFields");
  });

  test("MF-3: its fields are written in the order of the server from the first patch on", async () => {
    const { client } = setUp();
    const labels = { z: "1", a: "1" };
    await client.call("POST", configMaps, { metadata: { name: "a", labels }, data: { k: "v" } });
    const orderAfter = async (manager: string): Promise<readonly string[]> => {
      const path = `${configMaps}/a?fieldManager=${manager}`;
      const { body } = await client.call("PATCH", path, { data: { [manager]: "v" } });
      const entry = body["metadata"]["managedFields"].find(
        (one: { manager: string }) => one.manager === "unknown",
      );
      return Object.keys(entry.fieldsV1["f:metadata"]["f:labels"]);
    };
    expect(await orderAfter("one")).toEqual([".", "f:a", "f:z"]);
    expect(await orderAfter("two")).toEqual([".", "f:a", "f:z"]);
  });

  test("by an update with a uid names the folder in which a real server looks", async () => {
    const { client } = setUp();
    const path = "/api/v1/namespaces/default/services/a";
    const body = { metadata: { name: "a", uid: "u" }, spec: { ports: [{ port: 80 }] } };
    const refused = await client.call("PUT", path, body);
    expect(refused.status).toBe(409);
    expect(refused.body["message"]).toContain("Key: /registry/services/specs/default/a,");
  });

  test("with generateName adds five characters, and a given name takes precedence", async () => {
    const { client } = setUp();
    const metadata = { generateName: `${"x".repeat(70)}-` };
    const { body } = await client.call("POST", configMaps, { metadata });
    expect(body["metadata"]["name"]).toMatch(/^x{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    const named = { metadata: { ...metadata, name: "given" } };
    expect((await client.call("POST", configMaps, named)).body["metadata"]["name"]).toBe("given");
  });

  test.each([
    [{ metadata: { name: "a", labels: { x: 1 } } }, 400, "cannot unmarshal number"],
    [{ metadata: { name: "a", generation: 1.5 } }, 400, "into Go struct field"],
    [{ metadata: { name: "a", creationTimestamp: "now" } }, 400, 'parsing time \\"now\\"'],
    [{ metadata: { name: "a", namespace: "other" } }, 400, "does not match the namespace"],
    [{ metadata: { name: "a", resourceVersion: "5" } }, 500, "resourceVersion should not be set"],
    [{ metadata: {} }, 422, "name or generateName is required"],
    [{ kind: "Pod", metadata: { name: "a" } }, 400, "cannot be handled as a ConfigMap"],
    [{ apiVersion: "v2", metadata: { name: "a" } }, 400, "no kind"],
    [[], 400, "the object provided is unrecognized"],
  ])("of %j is rejected with %i", async (object, code, why) => {
    const { client, server } = setUp();
    const before = server.control.revision;
    const { body, status } = await client.call("POST", configMaps, object);
    expect(status).toBe(code);
    expect(JSON.stringify(body["message"])).toContain(why);
    expect(server.control.revision).toBe(before);
  });

  test.each(["", "0", "abc", "-1", "5 ", "99999999999999999999"])(
    "treats the version %j as absent (API-6.1)",
    async (resourceVersion) => {
      const { client } = setUp();
      const object = { metadata: { name: "a", resourceVersion } };
      expect((await client.call("POST", configMaps, object)).status).toBe(201);
    },
  );

  test("by an update drops a numeric version, and rejects any other string", async () => {
    const { client } = setUp();
    const update = async (resourceVersion: string): Promise<readonly unknown[]> => {
      const object = { metadata: { name: "a", resourceVersion } };
      const { body, status } = await client.call("PUT", `${leases}/a`, object);
      return [status, body["message"]];
    };
    const complaint = 'strconv.ParseUint: parsing "abc": invalid syntax';
    expect(await update("abc")).toEqual([500, complaint]);
    expect(await update("5")).toEqual([201, undefined]);
  });

  const struct =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

  // Messages recorded from kube-apiserver 1.36.3.
  test.each([
    ["x", "json parse error: invalid character 'x' looking for beginning of value (78)"],
    [
      '{"kind":"ConfigMap","apiVersion":"v1",}',
      'beginning of object key string ({"kind":"ConfigMap","apiVersio ...)',
    ],
    ["[1]", `cannot unmarshal array into Go value of type ${struct} (5b315d)`],
    [
      '{"kind":5}',
      'cannot unmarshal number into Go struct field .kind of type string ({"kind":5})',
    ],
  ])("that cannot be decoded reports the start of the body: %s (API-1.11)", async (text, why) => {
    const { server } = setUp();
    const url = `http://localhost${configMaps}`;
    const headers = { "content-type": "application/json" };
    const answer = await server.fetch(new Request(url, { method: "POST", headers, body: text }));
    const { message } = (await answer.json()) as { message: string };
    expect(message.slice(-why.length)).toBe(why);
  });

  test("that is invalid YAML is reported (API-1.11)", async () => {
    const { server } = setUp();
    const url = `http://localhost${configMaps}`;
    const headers = { "content-type": "application/yaml" };
    const answer = await server.fetch(new Request(url, { method: "POST", headers, body: "a: [" }));
    const { message } = (await answer.json()) as { message: string };
    expect(message).toMatch(
      /^the object provided is unrecognized \(must be of type ConfigMap\): yaml: line 1: .* \(613a205b\)$/,
    );
  });

  test("of null equals one of an object without fields (API-1.11)", async () => {
    const { server } = setUp();
    const url = `http://localhost${configMaps}`;
    const headers = { "content-type": "application/json" };
    const answer = await server.fetch(new Request(url, { method: "POST", headers, body: "null" }));
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("name or generateName is required");
  });

  test("reads YAML, and responds in YAML on request", async () => {
    const { server } = setUp();
    const headers = { "content-type": "application/yaml", accept: "application/yaml" };
    const body = "metadata:\n  name: a\ndata:\n  x: '1'\n";
    const url = `http://localhost${configMaps}`;
    const response = await server.fetch(new Request(url, { method: "POST", headers, body }));
    expect(response.headers.get("content-type")).toBe("application/yaml");
    expect(await response.text()).toContain('data:\n  x: "1"\nkind: ConfigMap\n');
  });
});

describe("an update", () => {
  // Messages recorded from kube-apiserver 1.36.3.
  test.each([
    ["abc", "invalid syntax"],
    ["-1", "invalid syntax"],
    ["99999999999999999999", "value out of range"],
  ])("at the version %s returns 500 (API-1.20)", async (resourceVersion, why) => {
    const { client } = setUp();
    await client.createConfigMap("a");
    const metadata = { name: "a", resourceVersion };
    for (const method of ["PUT", "PATCH"]) {
      const { body, status } = await client.call(method, `${configMaps}/a`, { metadata });
      const message = `strconv.ParseUint: parsing "${resourceVersion}": ${why}`;
      expect([status, body["message"], body["reason"]]).toEqual([500, message, undefined]);
    }
  });

  test("requires a version, except for kinds that can be overwritten (API-1.12)", async () => {
    const { client } = setUp();
    await client.createConfigMap("a");
    const overwrite = { metadata: { name: "a" }, data: { x: "1" } };
    expect((await client.call("PUT", `${configMaps}/a`, overwrite)).status).toBe(200);
    const lease = { metadata: { name: "l" }, spec: {} };
    expect((await client.call("PUT", `${leases}/l`, lease)).status).toBe(201);
    const again = await client.call("PUT", `${leases}/l`, lease);
    expect(again).toMatchObject({ status: 422, body: { details: { kind: "leases" } } });
  });

  test("of an outdated version is a conflict", async () => {
    const { client } = setUp();
    const { body } = await client.createConfigMap("a");
    await client.updateConfigMap("a", { x: "1" });
    const { body: refusal, status } = await client.call("PUT", `${configMaps}/a`, body);
    expect(status).toBe(409);
    expect(refusal).toMatchObject({
      reason: "Conflict",
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    });
  });

  test("counts only changes of the spec in generation (STA-3)", async () => {
    const { client } = setUp();
    const spec = { ...workloadSpec, replicas: 1 };
    await client.call("POST", deployments, { metadata: { name: "d" }, spec });
    const patch = async (change: object, suffix = ""): Promise<unknown> => {
      const { body } = await client.call("PATCH", `${deployments}/d${suffix}`, change);
      return body["metadata"]["generation"];
    };
    expect(await patch({ metadata: { labels: { a: "b" } } })).toBe(1);
    expect(await patch({ status: { replicas: 3 } }, "/status")).toBe(1);
    expect(await patch({ spec: { replicas: 2 } })).toBe(2);
    expect(await patch({ spec: { replicas: 2 } })).toBe(2);
    expect(await patch({ metadata: { finalizers: ["example.com/x"] } })).toBe(2);
    const { body } = await client.call("DELETE", `${deployments}/d?propagationPolicy=Foreground`);
    expect(body["metadata"]).toMatchObject({ generation: 3, deletionGracePeriodSeconds: 0 });
  });

  test("counts changes of a CSI driver without an initial generation (STA-3)", async () => {
    const { client } = setUp();
    const drivers = "/apis/storage.k8s.io/v1/csidrivers";
    const { body } = await client.call("POST", drivers, { metadata: { name: "a" }, spec: {} });
    expect(body["metadata"]).not.toHaveProperty("generation");
    const patch = async (change: object): Promise<unknown> => {
      const patched = await client.call("PATCH", `${drivers}/a`, change);
      return patched.body["metadata"]["generation"];
    };
    expect(await patch({ metadata: { labels: { a: "b" } } })).toBeUndefined();
    expect(await patch({ spec: { requiresRepublish: true } })).toBe(1);
    expect(await patch({ spec: { requiresRepublish: false } })).toBe(2);
  });

  test.each([
    ["the annotations of a deployment", deployments, { metadata: { annotations: { a: "b" } } }, 2],
    [
      "the template of a pod template",
      podTemplates,
      { template: { metadata: { labels: { a: "b" } } } },
      2,
    ],
    ["the labels of an endpoint slice", slices, { metadata: { labels: { a: "b" } } }, 2],
    ["the annotations of an endpoint slice", slices, { metadata: { annotations: { a: "b" } } }, 1],
    ["webhooks", webhooks, { webhooks: [webhook] }, 2],
    ["a priority class", priorityClasses, { description: "d" }, 1],
  ])(
    "counts, or does not count, changes of %s (STA-3)",
    async (_what, path, change, generation) => {
      const { client } = setUp();
      const fields = { addressType: "IPv4", value: 1, template: template(), spec: workloadSpec };
      await client.call("POST", path, { metadata: { name: "a" }, ...fields });
      const { body } = await client.call("PATCH", `${path}/a`, change);
      expect(body["metadata"]["generation"]).toBe(generation);
    },
  );

  test.each([
    [pods, { spec: podSpec }, 1],
    [jobs, { spec: { template: template({ restartPolicy: "Never" }) } }, 1],
    [priorityClasses, { value: 1 }, 1],
    [slices, { addressType: "IPv4" }, 1],
    [configMaps, {}, undefined],
    [leases, { spec: {} }, undefined],
    ["/api/v1/nodes", {}, undefined],
    ["/api/v1/namespaces", {}, undefined],
    ["/api/v1/namespaces/default/services", { spec: { ports: [{ port: 80 }] } }, undefined],
    ["/api/v1/namespaces/default/persistentvolumeclaims", { spec: claimSpec }, undefined],
  ])(
    "the generation of a new object of %s (%j) is %s (STA-3)",
    async (path, fields, generation) => {
      const { client } = setUp();
      const { body, status } = await client.call("POST", path, {
        metadata: { name: "a", labels: { a: "b" } },
        ...fields,
      });
      expect(status).toBe(201);
      expect(body["metadata"]["generation"]).toBe(generation);
      const patched = await client.call("PATCH", `${path}/a`, {
        metadata: { annotations: { a: "b" } },
      });
      expect(patched.body["metadata"]["generation"]).toBe(generation);
    },
  );

  test("that changes nothing keeps the version (API-0.8)", async () => {
    const { client, server } = setUp();
    const { body } = await client.createConfigMap("a", { x: "1" });
    const before = server.control.revision;
    expect((await client.call("PUT", `${configMaps}/a`, body)).body).toEqual(body);
    expect(server.control.revision).toBe(before);
  });
});

describe("dryRun=All", () => {
  test("of a create accepts an object with a version, which only the storage rejects", async () => {
    const { client } = setUp();
    const object = { metadata: { name: "a", resourceVersion: "5" } };
    const { status } = await client.call("POST", `${configMaps}?dryRun=All`, object);
    expect(status).toBe(201);
  });

  test("returns the result and changes nothing", async () => {
    const { client, server } = setUp();
    await client.createConfigMap("a");
    const before = server.control.revision;
    const created = await client.call("POST", `${configMaps}?dryRun=All`, {
      metadata: { name: "b" },
    });
    expect(created.status).toBe(201);
    expect(created.body["metadata"]).not.toHaveProperty("resourceVersion");
    const deleted = await client.call("DELETE", `${configMaps}?dryRun=All`);
    expect(deleted.body["items"]).toHaveLength(1);
    expect((await client.get(configMaps)).body["items"]).toHaveLength(1);
    expect(server.control.revision).toBe(before);
  });
});

describe("methods that a path does not support", () => {
  test.each([
    ["PUT", configMaps, 405],
    ["POST", `${configMaps}/a`, 405],
    ["POST", "/api/v1/configmaps", 405],
    ["GET", "/api/v1/configmaps/a", 404],
    ["GET", "/api/v1/namespaces/x/nodes", 404],
    ["GET", `${configMaps}/a/status`, 404],
    ["GET", `${configMaps}/a/nothing`, 404],
    ["GET", "/api/v1/nothings", 404],
    ["GET", "/apis/apps/v1/nothings", 404],
  ])("%s %s returns a Status with %i", async (method, path, code) => {
    const { client } = setUp();
    const { body, status } = await client.call(method, path, method === "GET" ? undefined : {});
    expect(status).toBe(code);
    expect(body).toMatchObject({ kind: "Status", code } satisfies Json);
  });
});

describe("an object of another kind is rejected (STR-1)", () => {
  test.each([
    ["v2", "ConfigMap", 'no kind "ConfigMap" is registered for version "v2" in scheme'],
    ["v1", "Foo", 'no kind "Foo" is registered for version "v1" in scheme'],
    ["v1", "Secret", "converting (v1.Secret) to (core.ConfigMap): unknown conversion"],
    ["apps/v1", "Deployment", "converting (v1.Deployment) to (core.ConfigMap): unknown conversion"],
  ])("%s %s: %s", async (apiVersion, kind, problem) => {
    const { client } = setUp();
    const { body, status } = await client.call("POST", configMaps, {
      ...{ apiVersion, kind },
      metadata: { name: "a" },
    });
    expect(status).toBe(400);
    const version = apiVersion.split("/").at(-1);
    const start = `${kind} in version "${version}" cannot be handled as a ConfigMap: `;
    expect(body["message"]).toContain(start + problem);
    await client.createConfigMap("a");
    const patched = await client.call("PATCH", `${configMaps}/a`, { apiVersion, kind });
    expect(patched.status).toBe(422);
    expect(patched.body["message"]).toContain(`: ${problem}`);
  });

  test.each([[{ kind: null }], [{ apiVersion: "v1", kind: "ConfigMap" }]])(
    "but not by a patch that does not change it: %j",
    async (patch) => {
      const { client } = setUp();
      await client.createConfigMap("a");
      const { body, status } = await client.call("PATCH", `${configMaps}/a`, patch);
      expect([status, body["kind"]]).toEqual([200, "ConfigMap"]);
    },
  );
});
