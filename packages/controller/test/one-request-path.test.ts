import { createClient, createConnection, isStatusError } from "@listwatch/client";
import { LeaderElector } from "@listwatch/controller";
import { httpListerWatcher } from "@listwatch/reflector";
import { expect, test } from "vitest";
import { Cluster } from "./support/cluster.ts";

const resource = { group: "", version: "v1", resource: "pods" };

/** A connection whose first credentials are refused, and the later ones too on request. */
function setUp(isAlwaysRefused: boolean) {
  const { api } = new Cluster();
  const methods: string[] = [];
  const connection = createConnection({
    server: "http://fake",
    headers: ({ refresh }) => ({ "x-token": refresh ? "renewed" : "first" }),
    fetch: async (request) => {
      methods.push(request.method);
      const isRefused = isAlwaysRefused || request.headers.get("x-token") === "first";
      return isRefused ? new Response("", { status: 401 }) : api.fetch(request);
    },
  });
  const client = createClient(connection);
  const { signal } = new AbortController();
  return { client, methods, signal, source: httpListerWatcher({ connection, resource }) };
}

test("reflector, client and elector renew credentials over one connection (CLI-14)", async () => {
  const { client, methods, signal, source } = setUp(false);
  await source.list({}, { signal });
  await client.resource(resource).list();
  expect(methods).toEqual(["GET", "GET", "GET", "GET"]);
  const stop = new AbortController();
  const elector = new LeaderElector({
    client,
    lease: { namespace: "default", name: "operator" },
    identity: "pod-1",
    onStartedLeading: () => stop.abort(),
  });
  await elector.run(stop.signal);
  // The lease was read and written with renewed credentials, so each request occurs twice.
  expect(methods.slice(4, 8)).toEqual(["GET", "GET", "POST", "POST"]);
});

test("reflector and client fail with the same error (CLI-14)", async () => {
  const { client, signal, source } = setUp(true);
  const failures = await Promise.allSettled([
    source.list({}, { signal }),
    client.resource(resource).list(),
    client.request({ method: "GET", path: "/api/v1/pods" }),
  ]);
  for (const failure of failures) {
    const reason: unknown = failure.status === "rejected" ? failure.reason : undefined;
    expect(isStatusError(reason, "Unauthorized")).toBe(true);
    expect(String(reason)).toContain("(the credentials were renewed after a first 401)");
  }
});
