import { describe, expect, test } from "vitest";
import { configMaps } from "../support/api-client.ts";
import { clientWith, configuration, webhook, WebhookHandler } from "../support/webhook-handler.ts";

const conditions = (...expressions: readonly string[]): readonly object[] =>
  expressions.map((expression, index) => ({ name: `c${index}`, expression }));

const cases: readonly (readonly [boolean, readonly string[]])[] = [
  [true, ["object.metadata.name == 'a'"]],
  [false, ["object.metadata.name == 'b'"]],
  [true, ["true", "request.operation == 'CREATE'"]],
  [false, ["true", "request.userInfo.username != 'kubernetes-admin'"]],
  [true, ["oldObject == null"]],
  [true, ["'k' in object.data && object.data.k.startsWith('v')"]],
  [true, ["!has(object.metadata.labels)"]],
  [true, ["request.resource.resource == 'configmaps' && request.namespace == 'default'"]],
  // One that is false counts more than an error.
  [false, ["object.spec.size == 1", "false"]],
];

describe("match conditions", () => {
  test.each(cases)("call a webhook: %s for %j (ADM-11)", async (isCalled, expressions) => {
    const handler = new WebhookHandler();
    const matchConditions = conditions(...expressions);
    const client = clientWith(handler, [
      configuration("Validating", "v", webhook("a", { matchConditions })),
      configuration("Mutating", "m", webhook("b", { matchConditions })),
    ]);
    expect((await client.createConfigMap("a", { k: "v" })).status).toBe(201);
    expect(handler.log).toEqual(isCalled ? ["/b CREATE", "/a CREATE"] : []);
  });

  test("that cannot be evaluated refuse the write (ADM-11)", async () => {
    const matchConditions = conditions("true", "object.spec.size == 1");
    const handler = new WebhookHandler();
    const client = clientWith(handler, [
      configuration("Validating", "v", webhook("a", { matchConditions })),
    ]);
    const refused = await client.createConfigMap("a");
    expect(refused.body).toMatchObject({
      code: 403,
      reason: "Forbidden",
      message: `configmaps "a" is forbidden: expression 'object.spec.size == 1' resulted in error: no such key: spec`,
      details: { name: "a", kind: "configmaps" },
    });
    expect(handler.calls).toEqual([]);
    expect((await client.get(`${configMaps}/a`)).status).toBe(404);
  });

  test("that cannot be evaluated skip a webhook whose failures are ignored (ADM-11)", async () => {
    const matchConditions = conditions("object.spec.size == 1");
    const handler = new WebhookHandler();
    const client = clientWith(handler, [
      configuration("Validating", "v", webhook("a", { matchConditions, failurePolicy: "Ignore" })),
    ]);
    expect((await client.createConfigMap("a")).status).toBe(201);
    expect(handler.calls).toEqual([]);
  });
});
