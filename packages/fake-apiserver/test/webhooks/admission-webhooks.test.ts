import { describe, expect, test } from "vitest";
import { configMaps } from "../support/api-client.ts";
import {
  clientWith,
  configuration,
  patchAnswer,
  webhook,
  type Answer as WebhookAnswer,
  WebhookHandler,
} from "../support/webhook-handler.ts";

const uid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

describe("a validating webhook", () => {
  test("receives the AdmissionReview of a create (ADM-11)", async () => {
    const handler = new WebhookHandler();
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    const created = await client.call("POST", `${configMaps}?fieldManager=me`, {
      metadata: { name: "a" },
      data: { k: "v" },
    });
    expect(created.status).toBe(201);
    const [call] = handler.calls;
    expect(call?.url).toBe("https://hooks.example.com/a?timeout=10s");
    expect(call?.headers.get("content-type")).toBe("application/json");
    expect(call?.review).toEqual({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      request: {
        uid,
        kind: { group: "", version: "v1", kind: "ConfigMap" },
        resource: { group: "", version: "v1", resource: "configmaps" },
        requestKind: { group: "", version: "v1", kind: "ConfigMap" },
        requestResource: { group: "", version: "v1", resource: "configmaps" },
        name: "a",
        namespace: "default",
        operation: "CREATE",
        userInfo: {
          username: "kubernetes-admin",
          groups: ["system:masters", "system:authenticated"],
        },
        object: {
          kind: "ConfigMap",
          apiVersion: "v1",
          metadata: {
            name: "a",
            namespace: "default",
            uid,
            creationTimestamp: expect.any(String) as string,
            managedFields: expect.any(Array) as object[],
          },
          data: { k: "v" },
        },
        oldObject: null,
        dryRun: false,
        options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "me" },
      },
    });
  });

  test("refuses a write with the status of its answer (ADM-11)", async () => {
    const status = { code: 409, message: "not now", reason: "Conflict", details: { name: "x" } };
    const handler = new WebhookHandler(() => ({ allowed: false, status }));
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    const refused = await client.createConfigMap("a");
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'admission webhook "a.example.com" denied the request: not now',
      reason: "Conflict",
      details: { name: "x" },
      code: 409,
    });
    expect((await client.get(`${configMaps}/a`)).status).toBe(404);
  });

  test.each([
    [{}, 400, " without explanation"],
    [{ status: { code: 200, message: "" } }, 400, " without explanation"],
    [{ status: { code: 403 } }, 403, " without explanation"],
    [{ status: { code: 700 } }, 500, " without explanation"],
    [{ status: { reason: "TooBig" } }, 400, ": TooBig"],
    [{ status: { reason: "TooBig", message: "too big" } }, 400, ": too big"],
  ])("refuses with %j as %i (ADM-11)", async (answer, code, words) => {
    const handler = new WebhookHandler(() => ({ allowed: false, ...answer }));
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    const refused = await client.createConfigMap("a");
    expect(refused.status).toBe(code);
    expect(refused.body["message"]).toBe(
      `admission webhook "a.example.com" denied the request${words}`,
    );
  });

  test("sends its warnings, also with a refusal (ADM-11)", async () => {
    const handler = new WebhookHandler(() => ({ allowed: false, warnings: ["one", "two"] }));
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    const refused = await client.createConfigMap("a");
    expect(refused.headers.get("warning")).toBe('299 - "one", 299 - "two"');
  });

  test("sees the options of a patch as those of an update (ADM-11)", async () => {
    const handler = new WebhookHandler();
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    await client.createConfigMap("a", { k: "1" });
    await client.updateConfigMap("a", { k: "2" });
    await client.call("DELETE", `${configMaps}/a`, {
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: "Background",
    });
    expect(
      handler.requests.map(({ object, oldObject, operation, options }) => ({
        operation: operation as string,
        options: options as object,
        data: (object as { data?: object } | null)?.data,
        old: (oldObject as { data?: object } | null)?.data,
      })),
    ).toEqual([
      {
        operation: "CREATE",
        options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
        data: { k: "1" },
        old: undefined,
      },
      {
        operation: "UPDATE",
        options: { kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1" },
        data: { k: "2" },
        old: { k: "1" },
      },
      {
        operation: "DELETE",
        options: {
          kind: "DeleteOptions",
          apiVersion: "meta.k8s.io/v1",
          propagationPolicy: "Background",
        },
        data: undefined,
        old: { k: "2" },
      },
    ]);
  });

  test("is asked again if another write comes between (ADM-11)", async () => {
    const handler = new WebhookHandler(async () => {
      if (handler.calls.length === 1) {
        await client.call("PATCH", `${configMaps}/a/`, { data: { other: "1" } });
      }
      return { allowed: true };
    });
    const objects = [
      configuration("Validating", "v", webhook("a", { rules: updates })),
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } },
    ];
    const client = clientWith(handler, objects);
    const updated = await client.updateConfigMap("a", { mine: "1" });
    expect(updated.body["data"]).toEqual({ mine: "1", other: "1" });
    expect(handler.calls).toHaveLength(3);
  });
});

const updates = [
  { operations: ["UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
];

describe("a mutating webhook", () => {
  test("changes an object by a JSON Patch before it is validated and stored (ADM-11)", async () => {
    const handler = new WebhookHandler(({ url }) =>
      url.includes("/m")
        ? patchAnswer([{ op: "add", path: "/metadata/labels", value: { team: "a" } }])
        : { allowed: true },
    );
    const client = clientWith(handler, [
      configuration("Mutating", "m", webhook("m")),
      configuration("Validating", "v", webhook("v")),
    ]);
    const created = await client.createConfigMap("a");
    expect(created.status).toBe(201);
    expect((created.body["metadata"] as { labels: object }).labels).toEqual({ team: "a" });
    const [first, second] = handler.requests;
    expect(first?.["object"]).toMatchObject({ metadata: { name: "a" } });
    expect(first?.["object"]).not.toHaveProperty("metadata.uid");
    expect(second?.["object"]).toHaveProperty("metadata.labels", { team: "a" });
    expect(second?.["object"]).toHaveProperty("metadata.uid");
  });

  test("is called in the order of configurations and their lists (ADM-12)", async () => {
    const handler = new WebhookHandler();
    const client = clientWith(handler, [
      configuration("Mutating", "b", webhook("b1"), webhook("b0")),
      configuration("Validating", "a", webhook("v")),
      configuration("Mutating", "a", webhook("a1")),
    ]);
    await client.createConfigMap("a");
    expect(handler.log).toEqual(["/a1 CREATE", "/b1 CREATE", "/b0 CREATE", "/v CREATE"]);
  });
});

describe("the failure policy", () => {
  const broken: readonly (readonly [string, (() => Response) | WebhookAnswer, string])[] = [
    [
      "a server error",
      () => new Response("boom\n", { status: 500 }),
      'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
    ],
    [
      "a missing page",
      () => new Response("", { status: 404 }),
      "failed to call webhook: the server could not find the requested resource",
    ],
    [
      "an empty answer",
      () => new Response("", { headers: { "content-type": "text/plain" } }),
      "failed to call webhook: 0-length response with status code: 200 and content type: text/plain",
    ],
    [
      "a review without a response",
      () => Response.json({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }),
      "received invalid webhook response: webhook response was absent",
    ],
    [
      "another uid",
      { allowed: true, uid: "other" },
      `received invalid webhook response: expected response.uid="UID", got "other"`,
    ],
    [
      "a patch",
      { allowed: true, patchType: "JSONPatch", patch: btoa("[]") },
      "received invalid webhook response: validating webhook may not return response.patch",
    ],
  ];

  test.each(broken)("Fail refuses the write after %s (ADM-11)", async (_name, answer, reason) => {
    const handler = new WebhookHandler(() => (typeof answer === "function" ? answer() : answer));
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    const refused = await client.createConfigMap("a");
    const asked = String(handler.requests[0]?.["uid"]);
    const message = `failed calling webhook "a.example.com": ${reason.replace("UID", asked)}`;
    expect(refused.body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `Internal error occurred: ${message}`,
      reason: "InternalError",
      details: { causes: [{ message }] },
      code: 500,
    });
  });

  test.each(broken)("Ignore lets the write pass after %s (ADM-11)", async (_name, answer) => {
    const handler = new WebhookHandler(() => (typeof answer === "function" ? answer() : answer));
    const hook = webhook("a", { failurePolicy: "Ignore" });
    const client = clientWith(handler, [configuration("Validating", "v", hook)]);
    expect((await client.createConfigMap("a")).status).toBe(201);
  });

  test("names the address when nothing answers (ADM-11)", async () => {
    const hook = webhook("a", {
      clientConfig: { service: { namespace: "system", name: "hooks", path: "/check", port: 8443 } },
    });
    const handler = new WebhookHandler(() => Promise.reject(new Error("connection refused")));
    const client = clientWith(handler, [configuration("Validating", "v", hook)]);
    const refused = await client.createConfigMap("a");
    expect(refused.body["message"]).toBe(
      'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: ' +
        'Post "https://hooks.system.svc:8443/check?timeout=10s": connection refused',
    );
  });
});
