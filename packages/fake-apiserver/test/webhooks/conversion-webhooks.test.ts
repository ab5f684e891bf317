import { type ApiObject, FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { createRestorer } from "../../src/server/restore.ts";
import { saveState } from "../../src/server/saved-state.ts";
import { configuration, patchAnswer, webhook } from "../support/webhook-handler.ts";

const group = "/apis/example.com";
const v1 = `${group}/v1/namespaces/default/things`;
const v2 = `${group}/v2/namespaces/default/things`;
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function definition(storage: "v1" | "v2" = "v1"): ApiObject {
  const version = (name: string, member: string): object => ({
    name,
    served: true,
    storage: name === storage,
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: {
            type: "object",
            properties: {
              [member]: { type: "string" },
              size: { type: "integer", ...(name === "v2" && { default: 7 }) },
            },
          },
          status: { type: "object", properties: { done: { type: "boolean" } } },
        },
      },
    },
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [version("v1", "host"), version("v2", "address")],
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { service: { namespace: "system", name: "hooks", path: "/convert" } },
        },
      },
    },
  };
}

type Change = (response: Json, review: Json) => unknown;

/** Renames `spec.host` of v1 and `spec.address` of v2. */
function convert(object: Json, apiVersion: string): Json {
  const { address, host, ...spec } = (object["spec"] ?? {}) as Record<string, unknown>;
  const name = apiVersion.endsWith("/v2") ? "address" : "host";
  const value = address ?? host;
  return {
    ...object,
    apiVersion,
    spec: { ...spec, ...(value !== undefined && { [name]: value }) },
  };
}

function changeAddress(review: Json): Json {
  const { apiVersion, kind, request } = review as Json & { request: { uid: string } };
  const patch = [{ op: "replace", path: "/spec/address", value: "changed" }];
  const response = { uid: request.uid, ...patchAnswer(patch) };
  return { apiVersion: apiVersion as string, kind: kind as string, response };
}

interface Converting {
  readonly client: ApiClient;
  readonly server: FakeApiServer;
  /** Desired version and names of the objects of each call. */
  readonly calls: string[];
  readonly reviews: Json[];
}

function convertingServer(
  change: Change = (response) => response,
  storage?: "v1" | "v2",
): Converting {
  const calls: string[] = [];
  const reviews: Json[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const review = JSON.parse(await request.text()) as Json;
    reviews.push({ ...review, url: request.url });
    if (review["kind"] === "AdmissionReview") return Response.json(changeAddress(review));
    const { desiredAPIVersion, objects, uid } = review["request"] as {
      desiredAPIVersion: string;
      objects: Json[];
      uid: string;
    };
    const names = objects.map(({ metadata }) => (metadata as { name: string }).name);
    calls.push(`${desiredAPIVersion} ${names.join(",")}`);
    const convertedObjects = objects.map((object) => convert(object, desiredAPIVersion));
    const response = { uid, result: { status: "Success" }, convertedObjects };
    return Response.json({
      apiVersion: review["apiVersion"] as string,
      kind: "ConversionReview",
      response: change(response, review),
    });
  };
  const server = new FakeApiServer({ seed: 1, webhooks: { fetch }, crds: [definition(storage)] });
  return { client: new ApiClient(server), server, calls, reviews };
}

const thing = (version: string, spec: object, name = "a"): object => ({
  apiVersion: `example.com/${version}`,
  kind: "Thing",
  metadata: { name },
  spec,
});

describe("a conversion webhook", () => {
  test("receives a ConversionReview (ADM-13)", async () => {
    const { client, reviews } = convertingServer();
    await client.call("POST", v1, thing("v1", { host: "h" }));
    expect(reviews).toEqual([]);
    const read = await client.get(`${v2}/a`);
    expect(read.body).toMatchObject({ apiVersion: "example.com/v2", spec: { address: "h" } });
    expect(reviews).toEqual([
      {
        url: "https://hooks.system.svc/convert?timeout=30s",
        kind: "ConversionReview",
        apiVersion: "apiextensions.k8s.io/v1",
        request: {
          uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          desiredAPIVersion: "example.com/v2",
          objects: [
            {
              apiVersion: "example.com/v1",
              kind: "Thing",
              metadata: {
                name: "a",
                namespace: "default",
                uid: expect.any(String) as string,
                creationTimestamp: expect.any(String) as string,
                generation: 1,
                managedFields: expect.any(Array) as object[],
              },
              spec: { host: "h" },
            },
          ],
        },
        response: { uid: "", convertedObjects: null, result: { metadata: {} } },
      },
    ]);
    expect((read.body["metadata"] as Json)["resourceVersion"]).toMatch(/^\d+$/);
  });

  test("is followed by the defaults of the version (ADM-13)", async () => {
    const { client } = convertingServer();
    await client.call("POST", v1, thing("v1", { host: "h" }));
    const read = await client.get(`${v2}/a`);
    expect(read.body["spec"]).toEqual({ address: "h", size: 7 });
  });

  test("converts what is written to the storage version, and the answer back (ADM-13)", async () => {
    const { calls, client } = convertingServer();
    const created = await client.call("POST", v2, thing("v2", { address: "h" }));
    expect(created.status).toBe(201);
    expect(created.body["spec"]).toEqual({ address: "h", size: 7 });
    expect(calls).toEqual(["example.com/v1 a", "example.com/v2 a"]);
    expect((await client.get(`${v1}/a`)).body["spec"]).toEqual({ host: "h", size: 7 });
  });

  test("converts around updates, patches, applies and deletions (ADM-13)", async () => {
    const { client } = convertingServer();
    await client.call("POST", v1, thing("v1", { host: "h" }));
    const patched = await client.call("PATCH", `${v2}/a`, { spec: { address: "p" } });
    expect(patched.body["spec"]).toEqual({ address: "p", size: 7 });
    const replaced = await client.call("PUT", `${v2}/a`, {
      ...patched.body,
      spec: { address: "r" },
    });
    expect(replaced.body["spec"]).toEqual({ address: "r", size: 7 });
    const status = await client.call("PATCH", `${v2}/a/status`, { status: { done: true } });
    expect(status.body).toMatchObject({ spec: { address: "r" }, status: { done: true } });
    expect((await client.get(`${v1}/a`)).body).toMatchObject({
      spec: { host: "r", size: 7 },
      status: { done: true },
    });
    const applied = await client.call(
      "PATCH",
      `${v2}/a?fieldManager=me&force=true`,
      thing("v2", {
        address: "s",
      }),
      { headers: { "content-type": "application/apply-patch+yaml" } },
    );
    expect(applied.body["spec"]).toEqual({ address: "s", size: 7 });
    expect((await client.call("DELETE", `${v2}/a`)).status).toBe(200);
    expect((await client.get(`${v1}/a`)).status).toBe(404);
  });

  test("is asked once for a list, and once for each state of an object (ADM-13)", async () => {
    const { calls, client } = convertingServer();
    await client.call("POST", v1, thing("v1", { host: "1" }, "a"));
    await client.call("POST", v1, thing("v1", { host: "2" }, "b"));
    const list = await client.get(v2);
    expect((list.body["items"] as Json[]).map(({ spec }) => (spec as Json)["address"])).toEqual([
      "1",
      "2",
    ]);
    await client.get(v2);
    expect(calls).toEqual(["example.com/v2 a,b"]);
    await client.call("PATCH", `${v1}/b`, { spec: { host: "3" } });
    await client.get(v2);
    expect(calls).toEqual(["example.com/v2 a,b", "example.com/v2 b"]);
  });

  test("converts the events of a watch (ADM-13)", async () => {
    const { client } = convertingServer();
    await client.call("POST", v1, thing("v1", { host: "1" }));
    const watch = await client.watch(`${v2}?watch=1`);
    await client.call("PATCH", `${v1}/a`, { spec: { host: "2" } });
    await client.call("DELETE", `${v1}/a`);
    const seen: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const event = await watch.next();
      seen.push([event?.type, event?.object["apiVersion"], event?.object["spec"]]);
    }
    expect(seen).toEqual([
      ["ADDED", "example.com/v2", { address: "1", size: 7 }],
      ["MODIFIED", "example.com/v2", { address: "2", size: 7 }],
      ["DELETED", "example.com/v2", { address: "2", size: 7 }],
    ]);
  });

  test("may change labels and annotations, but no other metadata (ADM-13)", async () => {
    const { client } = convertingServer((response) => {
      const [object] = response["convertedObjects"] as [Json];
      const metadata = {
        ...(object["metadata"] as Json),
        labels: { converted: "yes" },
        finalizers: ["example.com/none"],
      };
      return { ...response, convertedObjects: [{ ...object, metadata }] };
    });
    await client.call("POST", v1, thing("v1", { host: "h" }));
    const { metadata } = (await client.get(`${v2}/a`)).body as { metadata: Json };
    expect(metadata["labels"]).toEqual({ converted: "yes" });
    expect(metadata).not.toHaveProperty("finalizers");
  });

  const failures: readonly (readonly [string, Change, string])[] = [
    [
      "a failure",
      ({ uid }) => ({ uid: uid as string, result: { status: "Failure", message: "cannot" } }),
      "failed: cannot",
    ],
    [
      "no status",
      ({ uid }) => ({ uid: uid as string }),
      "failed: response.result.status was '', not 'Success'",
    ],
    ["no response", () => undefined, "failed: no response provided"],
    [
      "another uid",
      (response) => ({ ...response, uid: "other" }),
      'failed: expected response.uid="UID", got "other"',
    ],
    [
      "no object",
      (response) => ({ ...response, convertedObjects: [] }),
      "returned 0 objects, expected 1",
    ],
    [
      "the same version",
      (response, review) => ({
        ...response,
        convertedObjects: (review["request"] as { objects: Json[] }).objects,
      }),
      "returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)",
    ],
    [
      "another name",
      (response) => {
        const [object] = response["convertedObjects"] as [Json];
        const metadata = { ...(object["metadata"] as Json), name: "b" };
        return { ...response, convertedObjects: [{ ...object, metadata }] };
      },
      "returned invalid object: must have the same name: a != b",
    ],
  ];

  test.each(failures)("that answers with %s makes reading fail (ADM-13)", async (...one) => {
    const [, change, message] = one;
    const { client, reviews } = convertingServer(change);
    await client.call("POST", v1, thing("v1", { host: "h" }));
    const read = await client.get(`${v2}/a`);
    const [review] = reviews as [Json & { request: { uid: string } }];
    const { uid } = review.request;
    expect(read.body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `conversion webhook for example.com/v1, Kind=Thing ${message.replace("UID", uid)}`,
      code: 500,
    });
  });

  test("that fails ends a watch with an error (ADM-13)", async () => {
    const { client } = convertingServer(() => undefined);
    await client.call("POST", v1, thing("v1", { host: "h" }));
    const watch = await client.watch(`${v2}?watch=1`);
    const event = await watch.next();
    expect(event?.type).toBe("ERROR");
    expect(event?.object["message"]).toBe(
      "conversion webhook for example.com/v1, Kind=Thing failed: no response provided",
    );
    expect(await watch.next()).toBeUndefined();
  });

  test("converts what admission webhooks review in another version (ADM-13)", async () => {
    const { client, reviews } = convertingServer();
    const rules = [
      { operations: ["CREATE"], apiGroups: ["*"], apiVersions: ["v2"], resources: ["things"] },
    ];
    const hook = webhook("a", { rules, clientConfig: { url: "https://admission.example.com/" } });
    await client.call(
      "POST",
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
      configuration("Mutating", "m", hook),
    );
    const created = await client.call("POST", v1, thing("v1", { host: "h" }));
    expect(created.body).toMatchObject({ spec: { host: "changed", size: 7 } });
    expect(reviews[1]).toMatchObject({
      kind: "AdmissionReview",
      request: {
        kind: { version: "v2" },
        requestKind: { version: "v1" },
        object: { apiVersion: "example.com/v2", spec: { address: "h" } },
      },
    });
  });

  test("converts objects of an earlier storage version until they are written (ADM-13)", async () => {
    const { calls, client } = convertingServer();
    await client.call("POST", v1, thing("v1", { host: "h" }));
    const changed = await client.call("PATCH", `${crds}/things.example.com`, {
      spec: definition("v2")["spec"],
    });
    expect(changed.status).toBe(200);
    expect((await client.get(`${v1}/a`)).body["spec"]).toEqual({ host: "h" });
    expect(calls).toEqual([]);
    expect((await client.get(`${v2}/a`)).body["spec"]).toEqual({ address: "h", size: 7 });
    expect(calls).toEqual(["example.com/v2 a"]);
    // A write that changes nothing migrates it.
    await client.call("PATCH", `${v2}/a`, {});
    expect((await client.get(`${v2}/a`)).body["spec"]).toEqual({ address: "h", size: 7 });
    expect((await client.get(`${v1}/a`)).body["spec"]).toEqual({ host: "h", size: 7 });
    expect(calls).toEqual(["example.com/v2 a", "example.com/v1 a"]);
  });

  test("converts restored objects from the version of their dump, when they are read (ADM-13)", async () => {
    const { calls, client, server } = convertingServer();
    const metadata = { name: "a", uid: "u-1", creationTimestamp: "2026-01-01T00:00:00Z" };
    const dumped = {
      ...thing("v2", { address: "h" }),
      metadata: { ...metadata, namespace: "default" },
    };
    expect(await createRestorer(server).restore(dumped as ApiObject)).toEqual([]);
    expect(calls).toEqual([]);
    const state = saveState(server).items.find(({ kind }) => kind === "Thing");
    expect(state).toMatchObject({ apiVersion: "example.com/v2", spec: { address: "h" } });
    expect((await client.get(`${v1}/a`)).body).toMatchObject({
      metadata,
      spec: { host: "h", size: 7 },
    });
    expect((await client.get(`${v2}/a`)).body["spec"]).toEqual({ address: "h", size: 7 });
    expect(calls).toEqual(["example.com/v1 a"]);
    await client.call("PATCH", `${v1}/a`, {});
    const migrated = saveState(server).items.find(({ kind }) => kind === "Thing");
    expect(migrated).toMatchObject({ apiVersion: "example.com/v1", spec: { host: "h" } });
  });
});
