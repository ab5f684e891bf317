import { FakeApiServer, type Log } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const definitionWithRules = widgetsCrd({
  type: "object",
  "x-kubernetes-validations": [{ rule: "self.size < 5" }],
  properties: { size: { type: "integer" } },
});
const conversionWarning = "spec.conversion: webhooks are not called by this server";

const conversion = {
  strategy: "Webhook",
  webhook: {
    clientConfig: { url: "https://example.com/" },
    conversionReviewVersions: ["v1"],
  },
};

test("a definition whose versions an ignored webhook converts gets one warning", async () => {
  const client = new ApiClient(new FakeApiServer({ webhooks: "ignore" }));
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const created = await client.call("POST", path, definitionWithRules);
  expect(created.headers.get("warning")).toBeNull();
  const patch = { spec: { conversion } };
  const { headers } = await client.call("PATCH", `${path}/widgets.example.com`, patch);
  expect(headers.get("warning")).toBe(`299 - "${conversionWarning}"`);
});

test("definitions of the constructor that have no effect are named in one line of the log", () => {
  const lines: unknown[] = [];
  const ignore = (): void => {};
  const log: Log = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (message, fields) => lines.push([message, fields]),
  };
  const { spec, ...rest } = definitionWithRules;
  const crd = { ...rest, spec: { ...spec, conversion } };
  const server = new FakeApiServer({ crds: [crd], webhooks: "ignore", log });
  expect(server.control.revision).toBeGreaterThan(0);
  const parts = [`crds[0]: ${conversionWarning}`];
  expect(lines).toEqual([["Parts of objects have no effect here", { objects: parts }]]);
});
