import { silentLog } from "@listwatch/core-fifo";
import { deployments } from "@listwatch/resources/apps/v1";
import { mutating } from "@listwatch/webhooks";
import { describe, expect, test } from "vitest";
import { deploymentCreate, review as send } from "../support/reviews.ts";

describe("a mutating handler", () => {
  test("sends the changes of its object as a JSON patch", async () => {
    const handler = mutating(deployments, ({ object }) => {
      object.spec.replicas = 5;
      object.metadata.labels = { "example.com/size": "größer" };
    });
    expect(await send(handler, deploymentCreate)).toEqual({
      uid: "705ab4f5",
      allowed: true,
      patchType: "JSONPatch",
      patch: [
        { op: "add", path: "/metadata/labels", value: { "example.com/size": "größer" } },
        { op: "replace", path: "/spec/replicas", value: 5 },
      ],
    });
  });

  test("may return another object instead", async () => {
    const handler = mutating(deployments, async ({ object }) => ({
      ...object,
      spec: { ...object.spec, paused: true },
    }));
    const { patch } = await send(handler, deploymentCreate);
    expect(patch).toEqual([{ op: "add", path: "/spec/paused", value: true }]);
  });

  test("sends no patch for an object that is unchanged, or refused", async () => {
    const same = await send(
      mutating(deployments, ({ object }) => ({ ...object })),
      deploymentCreate,
    );
    expect(same).toEqual({ uid: "705ab4f5", allowed: true });
    const refused = await send(
      mutating(deployments, (review) => {
        review.object.spec.replicas = 0;
        review.deny("no");
      }),
      deploymentCreate,
    );
    expect(refused.allowed).toBe(false);
    expect(refused.patch).toBeUndefined();
  });

  test("fails for an object that is not JSON", async () => {
    const handler = mutating(
      deployments,
      // @ts-expect-error: not an object of the resource
      () => "replicas: 5",
      { log: silentLog },
    );
    expect((await send(handler, deploymentCreate)).status).toMatchObject({
      code: 500,
      message:
        'The webhook failed: expected an object from the handler, got the string "replicas: 5"',
    });
  });

  test("encodes a patch of a megabyte", async () => {
    const text = "é".repeat(500_000);
    const handler = mutating(deployments, ({ object }) => {
      object.metadata.annotations = { text };
    });
    const { patch } = await send(handler, deploymentCreate);
    expect(patch).toEqual([{ op: "add", path: "/metadata/annotations", value: { text } }]);
  });
});
