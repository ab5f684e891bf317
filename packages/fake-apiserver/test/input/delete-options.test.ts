import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";

const struct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

// Messages recorded from kube-apiserver 1.36.3.
describe("options of a delete that cannot be decoded", () => {
  test.each([
    [
      '{"kind":"Pod","apiVersion":"v1"}',
      'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      '{"kind":"Pod"}',
      'no kind "Pod" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      "{bad",
      "couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string",
    ],
    [
      "[1]",
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${struct}`,
    ],
    [
      '{"gracePeriodSeconds":"x"}',
      "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
    ],
    [
      '{"propagationPolicy":3}',
      "json: cannot unmarshal number into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation",
    ],
    [
      '{"dryRun":"All"}',
      "json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string",
    ],
    [
      '{"orphanDependents":"x"}',
      "json: cannot unmarshal string into Go struct field DeleteOptions.orphanDependents of type bool",
    ],
  ])("%s", async (body, message) => {
    const server = new FakeApiServer({ seed: 1 });
    const response = await server.fetch("http://localhost/api/v1/namespaces/default/pods/p", {
      method: "DELETE",
      headers: { "content-type": "application/json" },
      body,
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message, reason: "BadRequest" });
  });
});

test("null options count as absent (API-1.14)", async () => {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  await client.createConfigMap("a");
  const body = "null";
  const headers = { "content-type": "application/json" };
  const path = "/api/v1/namespaces/default/configmaps/a";
  expect((await client.send("DELETE", path, undefined, { body, headers })).status).toBe(200);
});

test("an empty propagation policy is rejected (API-1.14)", async () => {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const path = "/api/v1/namespaces/default/configmaps/a";
  for (const answer of [
    await client.call("DELETE", `${path}?propagationPolicy=`),
    await client.call("DELETE", path, { propagationPolicy: "" }),
  ]) {
    expect(answer.status).toBe(422);
    expect(answer.body["message"]).toBe(
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
    );
  }
});

describe("requests below subresources", () => {
  test("a path below the status does not exist", async () => {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    const spec = { containers: [{ name: "c", image: "i" }] };
    const path = "/api/v1/namespaces/default/pods";
    await client.call("POST", path, { metadata: { name: "p" }, spec });

    expect((await client.get(`${path}/p/status`)).status).toBe(200);
    expect((await client.get(`${path}/p/status/x`)).status).toBe(404);
  });

  test("a log has no separate streams", async () => {
    const client = new ApiClient(new FakeApiServer({ seed: 1 }));
    const spec = { containers: [{ name: "c", image: "i" }], nodeName: "n" };
    const path = "/api/v1/namespaces/default/pods";
    await client.call("POST", path, { metadata: { name: "p" }, spec });

    expect((await client.get(`${path}/p/log?stream=Stdout`)).body["message"]).toBe(
      'PodLogOptions "p" is invalid: stream: Forbidden: may not be specified',
    );
  });
});
