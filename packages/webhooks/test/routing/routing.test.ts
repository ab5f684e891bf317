import type { AdmissionPlugin } from "@listwatch/fake-apiserver";
import { deployments } from "@listwatch/resources/apps/v1";
import {
  fromPlugin,
  mutating,
  type ReviewPlugin,
  routeWebhooks,
  validating,
} from "@listwatch/webhooks";
import { describe, expect, expectTypeOf, test } from "vitest";
import { deploymentCreate, refusal, requestOf, review as send } from "../support/reviews.ts";

describe("a router", () => {
  const router = routeWebhooks([
    validating(deployments, (review) => review.warn("validated")),
    mutating(deployments, (review) => review.warn("mutated")),
  ]);

  test("passes a request to the handler of its path", async () => {
    const validated = await send(router, deploymentCreate, "/validate/apps/v1/deployments");
    expect(validated.warnings).toEqual(["validated"]);
    const mutated = await send(router, deploymentCreate, "/mutate/apps/v1/deployments?timeout=5s");
    expect(mutated.warnings).toEqual(["mutated"]);
  });

  test("answers 404 with the known paths for another one", async () => {
    expect(await refusal(router, requestOf({}, "/convert"))).toEqual([
      404,
      "Cannot answer the review: expected one of the paths /validate/apps/v1/deployments, /mutate/apps/v1/deployments, got /convert",
    ]);
  });

  test("refuses two handlers on one path", () => {
    const handler = validating(deployments, () => {});
    expect(() => routeWebhooks([handler, handler])).toThrow(
      'expected another path for each handler, see their option path, got the string "/validate/apps/v1/deployments"',
    );
  });
});

describe("handlers of a plugin of the fake API server", () => {
  test("take each AdmissionPlugin by its type", () => {
    expectTypeOf<AdmissionPlugin>().toExtend<ReviewPlugin>();
  });

  test("call mutate and validate, with the same answers as the fake", async () => {
    const plugin: AdmissionPlugin = {
      name: "Small deployments",
      match: { operations: ["CREATE", "DELETE"], apiGroups: ["apps"], resources: ["deployments"] },
      mutate: ({ object }) => {
        object!.metadata.labels = { small: "yes" };
      },
      validate: ({ subResource }) => ({
        allowed: false,
        message: `too large${subResource}`,
        code: 422,
        warnings: ["reviewed"],
      }),
    };
    const handlers = fromPlugin(plugin, { failurePolicy: "Ignore" });
    const [mutate, validate] = handlers;
    expect(handlers.map(({ path }) => path)).toEqual([
      "/mutate/plugins/small-deployments",
      "/validate/plugins/small-deployments",
    ]);
    expect(mutate?.registration).toMatchObject({
      name: "mutate.small-deployments.plugins",
      failurePolicy: "Ignore",
      rules: [{ operations: ["CREATE"], apiGroups: ["apps"], resources: ["deployments"] }],
    });
    expect(validate?.registration.rules[0]?.operations).toEqual(["CREATE", "DELETE"]);
    expect((await send(mutate!, deploymentCreate)).patch).toEqual([
      { op: "add", path: "/metadata/labels", value: { small: "yes" } },
    ]);
    expect(await send(validate!, deploymentCreate)).toMatchObject({
      allowed: false,
      warnings: ["reviewed"],
      status: { code: 422, reason: "Invalid", message: "too large" },
    });
  });

  test("pass a JSON patch of the plugin on", async () => {
    const patch = [{ op: "add", path: "/metadata/labels", value: {} }] as const;
    const [mutate] = fromPlugin({ name: "patching", mutate: () => patch });
    expect((await send(mutate!, deploymentCreate)).patch).toEqual(patch);
    const { object: oldObject } = deploymentCreate;
    const deletion = { ...deploymentCreate, operation: "DELETE", object: null, oldObject };
    expect((await send(mutate!, deletion)).patch).toBeUndefined();
  });

  test("do not exist for a plugin without functions", () => {
    expect(() => fromPlugin({ name: "empty" })).toThrow(
      "Cannot use the option plugin: expected a plugin with mutate or validate",
    );
  });
});
