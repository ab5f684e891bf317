import { describe, expect, test } from "vitest";
import { configMaps } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import {
  type Answer,
  clientWith,
  configuration,
  patchAnswer,
  webhook,
  WebhookHandler,
} from "../support/webhook-handler.ts";

function label(key: string): Answer {
  return patchAnswer([{ op: "add", path: "/metadata/labels", value: { [key]: "yes" } }]);
}

/** A handler whose answers depend on the path. */
function routed(answers: Readonly<Record<string, () => Answer>>): WebhookHandler {
  return new WebhookHandler(({ url }) => answers[new URL(url).pathname]?.() ?? { allowed: true });
}

const denied = { allowed: false, status: { code: 403, message: "no" } };

describe("reinvocation", () => {
  const reinvoked = { reinvocationPolicy: "IfNeeded" };

  test.each([
    ["nothing changes the object", {}, ["/a", "/b"]],
    ["a later webhook changes it", { "/b": () => label("b") }, ["/a", "/b", "/a"]],
    ["only the webhook itself changes it", { "/a": () => label("a") }, ["/a", "/b"]],
    ["both change it", { "/a": () => label("a"), "/b": () => label("b") }, ["/a", "/b", "/a"]],
    [
      "a patch changes nothing",
      { "/b": () => patchAnswer([{ op: "test", path: "/metadata/name", value: "a" }]) },
      ["/a", "/b"],
    ],
  ])("of a webhook with IfNeeded, when %s (ADM-11)", async (_name, answers, calls) => {
    const handler = routed(answers);
    const client = clientWith(handler, [
      configuration("Mutating", "m", webhook("a", reinvoked), webhook("b")),
    ]);
    expect((await client.createConfigMap("a")).status).toBe(201);
    expect(handler.log).toEqual(calls.map((path) => `${path} CREATE`));
  });

  test("does not begin a third round (ADM-11)", async () => {
    let count = 0;
    const next = (): Answer => label(`l${count++}`);
    const handler = routed({ "/a": next, "/b": next });
    const client = clientWith(handler, [
      configuration("Mutating", "m", webhook("a", reinvoked), webhook("b", reinvoked)),
    ]);
    expect((await client.createConfigMap("a")).status).toBe(201);
    expect(handler.log).toEqual(["/a CREATE", "/b CREATE", "/a CREATE", "/b CREATE"]);
  });
});

describe("a dry run", () => {
  test.each([["None"], ["NoneOnDryRun"]])(
    "calls webhooks with side effects %s (ADM-11)",
    async (one) => {
      const handler = new WebhookHandler();
      const hook = webhook("a", { sideEffects: one });
      const client = clientWith(handler, [configuration("Validating", "v", hook)]);
      const body = { metadata: { name: "a" } };
      expect((await client.call("POST", `${configMaps}?dryRun=All`, body)).status).toBe(201);
      expect(handler.requests).toMatchObject([{ dryRun: true, options: { dryRun: ["All"] } }]);
    },
  );

  test.each([["Some"], ["Unknown"]])("is refused with side effects %s (ADM-11)", async (one) => {
    const handler = new WebhookHandler();
    // Such webhooks come from older versions; a new one is refused.
    const hook = webhook("a", { sideEffects: one, failurePolicy: "Ignore" });
    const objects = [configuration("Mutating", "m", hook)];
    const client = clientWith(handler, objects, { validation: "off" });
    const body = { metadata: { name: "a" } };
    const refused = await client.call("POST", `${configMaps}?dryRun=All`, body);
    expect(refused.body).toMatchObject({
      code: 400,
      reason: "BadRequest",
      message: 'admission webhook "a.example.com" does not support dry run',
    });
    expect(handler.calls).toEqual([]);
  });
});

describe("a timeout", () => {
  const timeouts: readonly (readonly [string, "Fail" | "Ignore", number])[] = [
    ["refuses the write", "Fail", 500],
    ["lets it pass with Ignore", "Ignore", 201],
  ];

  test.each(timeouts)("on the clock of the server %s (ADM-11)", async (_name, policy, code) => {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const handler = new WebhookHandler(() => {
      resolve();
      return new Promise(() => {});
    });
    const clock = new ManualClock();
    const hook = webhook("a", { timeoutSeconds: 3, failurePolicy: policy });
    const client = clientWith(handler, [configuration("Validating", "v", hook)], { clock });
    const answered = client.createConfigMap("a");
    await reached;
    await clock.advance(2999);
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1);
    const { body, status } = await answered;
    expect(status).toBe(code);
    const post = 'Post "https://hooks.example.com/a?timeout=3s": context deadline exceeded';
    const message = `failed calling webhook "a.example.com": failed to call webhook: ${post}`;
    expect(body["message"]).toBe(code === 201 ? undefined : `Internal error occurred: ${message}`);
  });

  test("of the request ends the write after 34 s (ADM-11)", async () => {
    const clock = new ManualClock();
    const handler = new WebhookHandler(async () => {
      await clock.advance(20_000);
      return { allowed: true };
    });
    const slow = { timeoutSeconds: 30, failurePolicy: "Ignore" };
    const objects = [configuration("Mutating", "m", webhook("a", slow), webhook("b", slow))];
    const client = clientWith(handler, objects, { clock });
    const { body } = await client.createConfigMap("a");
    expect(body).toMatchObject({
      code: 504,
      reason: "Timeout",
      message:
        "Timeout: request did not complete within requested timeout - context deadline exceeded",
    });
    expect(handler.calls.map(({ url }) => new URL(url).search)).toEqual([
      "?timeout=30s",
      "?timeout=14s",
    ]);
  });
});

describe("several validating webhooks", () => {
  test("are called at the same time, and the first refusal counts (ADM-11)", async () => {
    const handler = routed({ "/b": () => denied, "/c": () => denied });
    const client = clientWith(handler, [
      configuration("Validating", "v", webhook("a"), webhook("b"), webhook("c")),
    ]);
    const { body } = await client.createConfigMap("a");
    expect(body["message"]).toBe('admission webhook "b.example.com" denied the request: no');
    expect(handler.calls).toHaveLength(3);
  });
});

describe("the patch of a mutating webhook", () => {
  const failures: readonly (readonly [string, Answer, string])[] = [
    [
      "that does not apply",
      patchAnswer([{ op: "remove", path: "/metadata/labels/none" }]),
      'Internal error occurred: remove operation does not apply: doc is missing path: "/metadata/labels/none": missing value',
    ],
    [
      "with a failing test",
      patchAnswer([{ op: "test", path: "/metadata/name", value: "b" }]),
      "Internal error occurred: testing value /metadata/name failed: test failed",
    ],
    [
      "that is not JSON",
      { allowed: true, patchType: "JSONPatch", patch: btoa("[{") },
      'Internal error occurred: failed calling webhook "a.example.com": received undecodable patch in webhook response: unexpected end of JSON input',
    ],
    [
      "without a type",
      { allowed: true, patch: btoa("[]") },
      'Internal error occurred: failed calling webhook "a.example.com": received invalid webhook response: webhook returned response.patch but not response.patchType',
    ],
    [
      "with a type alone",
      { allowed: true, patchType: "JSONPatch" },
      'Internal error occurred: failed calling webhook "a.example.com": received invalid webhook response: webhook returned response.patchType but not response.patch',
    ],
    [
      "of another type",
      { allowed: true, patchType: "MergePatch", patch: btoa('[{"op":"add"}]') },
      'Internal error occurred: failed calling webhook "a.example.com": unsupported patch type "MergePatch"',
    ],
  ];

  test.each(failures)("%s is an error (ADM-11)", async (_name, answer, message) => {
    const handler = new WebhookHandler(() => answer);
    const client = clientWith(handler, [configuration("Mutating", "m", webhook("a"))]);
    const refused = await client.createConfigMap("a");
    expect(refused.status).toBe(500);
    expect(refused.body["message"]).toBe(message);
  });

  // k8s.io/apiserver registry/rest/create.go: `BeforeCreate`.
  test.each([
    [
      { op: "remove", path: "/metadata/name" },
      422,
      'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    ],
    [
      { op: "replace", path: "/metadata/namespace", value: "kube-system" },
      400,
      "the namespace of the provided object does not match the namespace sent on the request",
    ],
    [
      { op: "add", path: "/metadata/resourceVersion", value: "7" },
      500,
      "resourceVersion should not be set on objects to be created",
    ],
  ])("%o makes a new object invalid (ADM-12)", async (operation, code, message) => {
    const handler = new WebhookHandler(() => patchAnswer([operation]));
    const client = clientWith(handler, [configuration("Mutating", "m", webhook("a"))]);
    const { body, status } = await client.createConfigMap("a");
    expect([status, body["message"]]).toEqual([code, message]);
  });

  test("cannot change a deletion (ADM-11)", async () => {
    const handler = new WebhookHandler(({ review }) => {
      const { operation } = review["request"] as { operation: string };
      return operation === "DELETE" ? label("a") : { allowed: true };
    });
    const client = clientWith(handler, [configuration("Mutating", "m", webhook("a"))]);
    await client.createConfigMap("a");
    const refused = await client.call("DELETE", `${configMaps}/a`);
    expect(refused.status).toBe(500);
    expect(refused.body["message"]).toBe(
      'Internal error occurred: admission webhook "a.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });

  test("can change a scale and an eviction (ADM-11)", async () => {
    const handler = new WebhookHandler(({ review }) => {
      const { kind } = review["request"] as { kind: { kind: string } };
      return kind.kind === "Scale"
        ? patchAnswer([{ op: "replace", path: "/spec/replicas", value: 5 }])
        : patchAnswer([{ op: "add", path: "/deleteOptions", value: { dryRun: ["All"] } }]);
    });
    const resources = ["deployments/scale", "pods/eviction"];
    const rules = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources }];
    const spec = { containers: [{ name: "main", image: "nginx" }] };
    const labels = { app: "web" };
    const client = clientWith(handler, [
      configuration("Mutating", "m", webhook("a", { rules })),
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "d", namespace: "default" },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
      },
      { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "default" }, spec },
    ]);
    const path = "/apis/apps/v1/namespaces/default/deployments/d/scale";
    const scaled = await client.call("PATCH", path, { spec: { replicas: 2 } });
    expect(scaled.body["spec"]).toEqual({ replicas: 5 });
    const pod = "/api/v1/namespaces/default/pods/p";
    const evicted = await client.call("POST", `${pod}/eviction`, { metadata: { name: "p" } });
    expect(evicted.status).toBe(201);
    expect((await client.get(pod)).status).toBe(200);
  });

  test("can name a new object (ADM-11)", async () => {
    const handler = new WebhookHandler(() =>
      patchAnswer([{ op: "add", path: "/metadata/name", value: "chosen" }]),
    );
    const client = clientWith(handler, [configuration("Mutating", "m", webhook("a"))]);
    const { body } = await client.call("POST", configMaps, { metadata: { generateName: "a-" } });
    expect((body["metadata"] as { name: string }).name).toBe("chosen");
    expect(handler.requests[0]).not.toHaveProperty("name");
    expect(handler.requests[0]).not.toHaveProperty("object.metadata.name");
  });

  test("is followed by defaults and validation (ADM-12)", async () => {
    const handler = new WebhookHandler(() =>
      patchAnswer([{ op: "add", path: "/data", value: { "a b": "c" } }]),
    );
    const client = clientWith(handler, [configuration("Mutating", "m", webhook("a"))]);
    const refused = await client.createConfigMap("a");
    expect(refused.status).toBe(422);
  });
});

describe("the answer of a webhook", () => {
  const reviews: readonly (readonly [string, string, string])[] = [
    [
      "of another kind",
      '{"apiVersion":"admission.k8s.io/v1","kind":"Other","response":{}}',
      'failed to call webhook: no kind "Other" is registered for version "admission.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      "of another version",
      '{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview","response":{}}',
      "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
    ],
    [
      "with a field of another type",
      '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":"yes"}}',
      "failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool",
    ],
    [
      "that is cut off",
      '{"apiVersion":"admission.k8s.io/v1"',
      "failed to call webhook: couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
  ];

  test.each(reviews)("%s counts as a failed call (ADM-11)", async (_name, text, reason) => {
    const headers = { "content-type": "application/json" };
    const handler = new WebhookHandler(() => new Response(text, { headers }));
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    const { body } = await client.createConfigMap("a");
    expect(body["message"]).toBe(
      `Internal error occurred: failed calling webhook "a.example.com": ${reason}`,
    );
  });

  test("needs its type (ADM-11)", async () => {
    const handler = new WebhookHandler(({ review }) => {
      const { uid } = review["request"] as { uid: string };
      return Response.json({ response: { uid, allowed: true } });
    });
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    const { body } = await client.createConfigMap("a");
    expect(body["message"]).toBe(
      'Internal error occurred: failed calling webhook "a.example.com": ' +
        "received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=",
    );
  });

  test("may be a review of v1beta1 if the webhook takes no newer one (ADM-11)", async () => {
    const handler = new WebhookHandler(({ review }) => {
      expect(review["apiVersion"]).toBe("admission.k8s.io/v1beta1");
      const patch = btoa(JSON.stringify([{ op: "add", path: "/data", value: { k: "v" } }]));
      return Response.json({ response: { allowed: true, patch } });
    });
    const hook = webhook("a", { admissionReviewVersions: ["v2", "v1beta1", "v1"] });
    const client = clientWith(handler, [configuration("Mutating", "m", hook)]);
    expect((await client.createConfigMap("a")).body["data"]).toEqual({ k: "v" });
  });

  test("cuts long warnings to 256 characters when all have more than 4,096 (ADM-11)", async () => {
    const long = "x".repeat(3000);
    const handler = new WebhookHandler(() => ({
      allowed: true,
      warnings: [`1${long}`, `2${long}`, "short", "short", ""],
    }));
    const client = clientWith(handler, [configuration("Validating", "v", webhook("a"))]);
    const { headers } = await client.createConfigMap("a");
    const cut = "x".repeat(255);
    expect(headers.get("warning")).toBe(`299 - "1${cut}", 299 - "2${cut}", 299 - "short"`);
  });
});

describe('webhooks: "ignore"', () => {
  test("stores configurations without calling their webhooks (ADM-11)", async () => {
    const client = clientWith(
      new WebhookHandler(),
      [configuration("Validating", "v", webhook("a"))],
      {
        webhooks: "ignore",
      },
    );
    expect((await client.createConfigMap("a")).status).toBe(201);
  });
});
