import { silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { deployments } from "@listwatch/resources/apps/v1";
import { BadReviewError, type Review, validating } from "@listwatch/webhooks";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  admissionReview,
  deploymentCreate,
  refusal,
  requestOf,
  review as send,
} from "../support/reviews.ts";

const quiet = { log: silentLog };
const { object } = deploymentCreate;

describe("a validating handler", () => {
  test("allows a request that it does not refuse", async () => {
    const handler = validating(deployments, () => {});
    expect(await send(handler, deploymentCreate)).toEqual({ uid: "705ab4f5", allowed: true });
  });

  test("receives the typed object, the user, and the operation with its options", async () => {
    const seen: unknown[] = [];
    const handler = validating(deployments, (review) => {
      expectTypeOf(review.object.spec.replicas).toEqualTypeOf<number | undefined>();
      expectTypeOf(review.operation).toEqualTypeOf<"CREATE" | "UPDATE">();
      if (review.operation === "CREATE") expectTypeOf(review.oldObject).toEqualTypeOf<null>();
      else expectTypeOf(review.oldObject.metadata.name).toEqualTypeOf<string>();
      seen.push(review.object.spec.replicas, review.operation, review.user.username);
      seen.push(review.name, review.namespace, review.subresource, review.dryRun);
      seen.push(review.options, review.oldObject);
    });
    const options = { kind: "CreateOptions", fieldManager: "kubectl" };
    await send(handler, { ...deploymentCreate, dryRun: true, options });
    expect(seen).toEqual([3, "CREATE", "ann", "web", "shop", "", true, options, null]);
  });

  test("refuses with code, reason and causes", async () => {
    const handler = validating(deployments, async (review) => {
      const causes = [
        { reason: "FieldValueInvalid", message: "must be odd", field: "spec.replicas" },
      ];
      review.deny("too many", { code: 422, causes });
      review.deny("a second refusal does not count");
      review.allow();
    });
    expect(await send(handler, deploymentCreate)).toEqual({
      uid: "705ab4f5",
      allowed: false,
      status: {
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        message: "too many",
        reason: "Invalid",
        code: 422,
        details: {
          causes: [{ reason: "FieldValueInvalid", message: "must be odd", field: "spec.replicas" }],
        },
      },
    });
  });

  test("refuses with 403 Forbidden by default", async () => {
    const handler = validating(deployments, (review) => review.deny("no"));
    const { status } = await send(handler, deploymentCreate);
    expect(status).toMatchObject({ code: 403, reason: "Forbidden", message: "no" });
  });

  test("adds warnings and audit annotations to an approval", async () => {
    const handler = validating(deployments, (review) => {
      review.warn("first");
      review.audit("checked", "yes");
      review.allow({ warnings: ["second"], auditAnnotations: { by: "a test" } });
    });
    expect(await send(handler, deploymentCreate)).toEqual({
      uid: "705ab4f5",
      allowed: true,
      warnings: ["first", "second"],
      auditAnnotations: { checked: "yes", by: "a test" },
    });
  });

  test("reviews the operations that it names, with null for what they lack", async () => {
    const handler = validating(
      deployments,
      (review) => {
        expectTypeOf(review.object).toEqualTypeOf<null>();
        if (review.oldObject.spec.replicas !== 0) review.deny("still running");
      },
      { operations: ["DELETE"], ...quiet },
    );
    const request = { ...deploymentCreate, operation: "DELETE", object: null, oldObject: object };
    expect((await send(handler, request)).allowed).toBe(false);
    const [code, message] = await refusal(handler, requestOf(admissionReview(deploymentCreate)));
    expect([code, message]).toEqual([
      400,
      'Cannot answer the review: expected the operation DELETE, got the string "CREATE"',
    ]);
  });

  test("reviews a subresource with its type", async () => {
    const handler = validating(
      deployments,
      (review) => {
        expectTypeOf(review.object.kind).toEqualTypeOf<"Scale">();
        review.deny(`${review.subresource} to ${review.object.spec.replicas}`);
      },
      { subresource: "scale" },
    );
    const scale = { apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas: 9 } };
    const request = {
      ...deploymentCreate,
      operation: "UPDATE",
      subResource: "scale",
      object: scale,
      oldObject: scale,
    };
    expect((await send(handler, request)).status).toMatchObject({ message: "scale to 9" });
    expect(handler.path).toBe("/validate/apps/v1/deployments/scale");
    expect(handler.registration.rules[0]?.resources).toEqual(["deployments/scale"]);
  });

  test("turns an exception into a denial with 500, and reports it", async () => {
    const reported: unknown[] = [];
    const failure = new Error("database away");
    const onError = (error: unknown): void => void reported.push(error);
    const handler = validating(
      deployments,
      () => {
        throw failure;
      },
      { onError, failurePolicy: "Ignore" },
    );
    const { allowed, status } = await send(handler, deploymentCreate);
    expect(allowed).toBe(false);
    const message = "The webhook failed: database away";
    expect(status).toMatchObject({ code: 500, reason: "InternalError", message });
    expect(reported).toEqual([failure]);
  });

  test("drops the warnings of a review that fails, and reports a bad answer as its failure", async () => {
    const handler = validating(
      deployments,
      (review) => {
        review.warn("half a review");
        review.deny("no", { code: 200 });
      },
      quiet,
    );
    const answer = await send(handler, deploymentCreate);
    expect(answer.warnings).toBeUndefined();
    expect(answer.status).toMatchObject({
      code: 500,
      message:
        "The webhook failed: Cannot use the option code: expected a number from 400 to 599, got the number 200",
    });
  });
});

describe("the time limit of a review", () => {
  const never = (review: Review<unknown, "CREATE" | "UPDATE">): Promise<void> =>
    new Promise((_, reject) => {
      review.signal.addEventListener("abort", () => reject(review.signal.reason as unknown));
    });

  test.each([
    ["/?timeout=10s", undefined, 9500],
    ["/?timeout=1m30s", 1000, 89_000],
    ["/?timeout=600ms", undefined, 300],
    ["/?timeout=nonsense", undefined, 9500],
    ["/", undefined, 9500],
  ])("for %s with a margin of %s is %i ms", async (path, timeoutMarginMs, limitMs) => {
    const clock = new SimulatedClock();
    const handler = validating(deployments, never, { clock, timeoutMarginMs, ...quiet });
    let isAnswered = false;
    const answer = send(handler, deploymentCreate, path).finally(() => (isAnswered = true));
    await clock.advance(limitMs - 1);
    expect(isAnswered).toBe(false);
    await clock.advance(1);
    const { allowed, status } = await answer;
    expect(allowed).toBe(false);
    expect(status).toMatchObject({ code: 504, reason: "Timeout" });
    expect(String(Reflect.get(status!, "message"))).toContain("It took longer than");
  });

  test("leaves no timer behind", async () => {
    const clock = new SimulatedClock();
    await send(
      validating(deployments, () => {}, { clock }),
      deploymentCreate,
    );
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("a request that is not a review of the handler gets 400", () => {
  const handler = validating(deployments, () => {}, { ...quiet, maxBodyBytes: 2000 });
  const bad = "Cannot answer the review: expected";
  const json = { "content-type": "application/json" };
  const post = (body: string, headers: Record<string, string> = json): Request =>
    new Request("https://localhost/", { method: "POST", headers, body });

  test.each<[what: string, request: () => Request, message: string]>([
    ["another method", () => new Request("https://localhost/"), `${bad} the method POST, got GET`],
    [
      "another content type",
      () => post("{}", { "content-type": "text/plain" }),
      `${bad} the content type application/json, got the string "text/plain"`,
    ],
    [
      "a body that is too long",
      () => requestOf(admissionReview({ ...deploymentCreate, padding: "x".repeat(2000) })),
      `${bad} a body of at most 2 KiB, got a longer one`,
    ],
    ["no body", () => post(""), `${bad} a body in JSON, got an empty one`],
    ["an array", () => post("[]"), `${bad} an object of the kind AdmissionReview, got []`],
    [
      "another version",
      () => post('{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"}'),
      `${bad} apiVersion "admission.k8s.io/v1" and kind "AdmissionReview", got the string "admission.k8s.io/v1beta1" and the string "AdmissionReview"`,
    ],
    [
      "no request",
      () => post('{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}'),
      `${bad} an object as request, got undefined`,
    ],
    [
      "no uid",
      () => requestOf(admissionReview({ ...deploymentCreate, uid: "" })),
      `${bad} a string as request.uid, got the string ""`,
    ],
    [
      "no resource",
      () => requestOf(admissionReview({ ...deploymentCreate, resource: undefined })),
      `${bad} an object as request.resource, got undefined`,
    ],
    [
      "a create without an object",
      () => requestOf(admissionReview({ ...deploymentCreate, object: null })),
      `${bad} an object as request.object of the operation CREATE, got null`,
    ],
    [
      "an update without the old object",
      () => requestOf(admissionReview({ ...deploymentCreate, operation: "UPDATE" })),
      `${bad} an object as request.oldObject of the operation UPDATE, got null`,
    ],
    [
      "another resource",
      () =>
        requestOf(
          admissionReview({
            ...deploymentCreate,
            resource: { group: "", version: "v1", resource: "pods" },
          }),
        ),
      `${bad} a review of apps/v1/deployments, got one of v1/pods`,
    ],
    [
      "a subresource",
      () => requestOf(admissionReview({ ...deploymentCreate, subResource: "status" })),
      `${bad} a review of apps/v1/deployments, got one of apps/v1/deployments/status`,
    ],
  ])("%s", async (_, request, message) => {
    expect(await refusal(handler, request())).toEqual([400, message]);
  });

  test("a broken body in JSON, with the reason of the parser", async () => {
    const [code, message] = await refusal(handler, post("{,"));
    expect(code).toBe(400);
    expect(message).toMatch(/^Cannot answer the review: expected a body in JSON, got .*JSON/);
  });

  test("the hook receives it as an error with a code", async () => {
    const reported: unknown[] = [];
    const hooked = validating(deployments, () => {}, { onError: (error) => reported.push(error) });
    await hooked(new Request("https://localhost/"));
    expect(reported).toEqual([expect.any(BadReviewError)]);
    expect(reported[0]).toMatchObject({ code: "LW_BAD_REVIEW" });
  });
});

test("options of a handler are checked, with the nearest name of a mistyped one", () => {
  // @ts-expect-error: an option that does not exist
  const mistyped = (): unknown => validating(deployments, () => {}, { failurPolicy: "Fail" });
  expect(mistyped).toThrow("did you mean failurePolicy?");
  expect(() => validating(deployments, () => {}, { name: "short" })).toThrow(
    "Cannot use the option name: expected a domain name with at least three parts",
  );
  expect(() => validating(deployments, () => {}, { timeoutSeconds: 31 })).toThrow("from 1 to 30");
  expect(() => validating(deployments, () => {}, { operations: [] })).toThrow("at least one");
});
