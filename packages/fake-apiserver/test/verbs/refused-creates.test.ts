// The answers to creates and changes that few clients send.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

function createClient(): ApiClient {
  return new ApiClient(new FakeApiServer({ seed: 1 }));
}

test("a taken name beside a generateName is to be tried again after a second", async () => {
  const client = createClient();
  await client.call("POST", configMaps, { metadata: { name: "taken" } });
  const both = { metadata: { name: "taken", generateName: "tak" } };
  const { body, headers, status } = await client.call("POST", configMaps, both);
  expect([status, headers.get("retry-after"), body["message"]]).toEqual([
    409,
    "1",
    'configmaps "taken" already exists, the server was not able to generate a unique name for the object',
  ]);
});

test.each([
  ["2001:db8::1", undefined],
  ["10.0.0.7", undefined],
  ["2001:DB8::1", 'must be in canonical form ("2001:db8::1")'],
  ["010.0.0.1", "must not have leading 0s"],
  ["::ffff:1.2.3.4", "must not be an IPv4-mapped IPv6 address"],
  ["2001-db8--1", "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"],
])("an IPAddress is named by an address in its canonical form: %s", async (name, problem) => {
  const parentRef = { resource: "services", namespace: "default", name: "web" };
  const path = "/apis/networking.k8s.io/v1/ipaddresses";
  const { body } = await createClient().call("POST", path, {
    metadata: { name },
    spec: { parentRef },
  });
  const refused = `metadata.name: Invalid value: "${name}": ${problem}`;
  const expected = problem && `IPAddress.networking.k8s.io "${name}" is invalid: ${refused}`;
  expect(body["message"]).toBe(expected);
});

test("errors of strict decoding are in the order of the text, without those in unknown fields", async () => {
  const text =
    '{"metadata":{"name":"s","zeta":1},"beta":{"a":1,"a":2},"data":{"a":"1","a":"2"},"beta":2,"alpha":1}';
  const request = new Request(`http://localhost${configMaps}?fieldValidation=Strict`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: text,
  });
  const response = await new FakeApiServer().fetch(request);
  const { message } = (await response.json()) as { readonly message: string };
  expect(message).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ' +
      'unknown field "metadata.zeta", unknown field "beta", duplicate field "data.a", unknown field "alpha"',
  );
});

test("a review cannot be shown as a table", async () => {
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const review = { spec: { resourceAttributes: { verb: "get", resource: "pods" } } };
  const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const server = new FakeApiServer();
  const send = (accept: string) =>
    server.fetch(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { accept, "content-type": "application/json" },
        body: JSON.stringify(review),
      }),
    );
  expect((await send(table)).status).toBe(406);
  expect((await send(`${table},application/json`)).status).toBe(201);
});

describe("Events of events.k8s.io", () => {
  const path = "/apis/events.k8s.io/v1/namespaces/default/events";
  const time = "2026-01-01T00:00:00.000000Z";
  const event = {
    metadata: { name: "e" },
    eventTime: time,
    reportingController: "c",
    reportingInstance: "i",
    action: "a",
    reason: "r",
    type: "Normal",
    regarding: { kind: "Pod", namespace: "default", name: "p" },
    note: "x",
  };

  test.each([
    [{ note: "y" }, 'message: Invalid value: "y": field is immutable'],
    [{ reason: "s" }, 'reason: Invalid value: "s": field is immutable'],
    [
      { regarding: { kind: "Pod", namespace: "default", name: "q" } },
      'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"default","Name":"q","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
    ],
    [
      { series: { count: 1, lastObservedTime: time } },
      'series.count: Invalid value: "": should be at least 2',
    ],
    [{ series: { count: 3 } }, "series.lastObservedTime: Required value"],
    [{ series: { count: 2, lastObservedTime: time } }, undefined],
    [{ metadata: { labels: { a: "b" } } }, undefined],
  ])("change in their series and metadata alone: %o", async (patch, problem) => {
    const client = createClient();
    await client.call("POST", path, event);
    const { body } = await client.call("PATCH", `${path}/e`, patch);
    expect(body["message"]).toBe(problem && `Event "e" is invalid: ${problem}`);
  });

  test("need two occurrences for a series", async () => {
    const series = { count: 1, lastObservedTime: time };
    const { body } = await createClient().call("POST", path, { ...event, series });
    expect(body["message"]).toBe(
      'Event "e" is invalid: series.count: Invalid value: "": should be at least 2',
    );
  });
});

test("a finalizer of a custom resource that is a domain wants a path, too", async () => {
  const schema = { openAPIV3Schema: { type: "object" } };
  const server = new FakeApiServer();
  const client = new ApiClient(server);
  await client.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
  const warningFor = async (name: string, finalizer: string): Promise<string | null> => {
    const thing = {
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name, finalizers: [finalizer] },
    };
    const things = "/apis/example.com/v1/namespaces/default/things";
    return (await client.call("POST", things, thing)).headers.get("warning");
  };
  const start = String.raw`299 - "metadata.finalizers: \"`;
  const wanted = "a domain-qualified finalizer name";
  const end = 'to avoid accidental conflicts with other finalizer writers"';
  expect(await warningFor("a", "f.example.com")).toBe(
    String.raw`${start}f.example.com\": prefer ${wanted} including a path (/) ${end}`,
  );
  expect(await warningFor("b", "mine")).toBe(String.raw`${start}mine\": prefer ${wanted} ${end}`);
});

test("unknown fields of the metadata of a custom resource are sorted", async () => {
  const server = new FakeApiServer({ crds: [widgetsCrd({ type: "object" })] });
  const widget = { apiVersion: "example.com/v1", kind: "Widget" };
  const path = "/apis/example.com/v1/namespaces/default/widgets?fieldValidation=Strict";
  const metadata = { name: "a", zeta: 1, alpha: 1 };
  const { body } = await new ApiClient(server).call("POST", path, { ...widget, metadata });
  expect(body["message"]).toContain(
    'unknown field "metadata.alpha", unknown field "metadata.zeta"',
  );
});
