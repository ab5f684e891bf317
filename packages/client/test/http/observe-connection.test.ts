import { createClient, createConnection, observeConnection } from "@listwatch/client";
import { InvalidOptionsError, type TraceSink } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { templateOf } from "../../src/http/observe-connection.ts";
import { metricsSink, type MetricCall } from "../support/metrics-sink.ts";

describe("an observed connection", () => {
  test("counts requests, failures and repetitions under client-go's names (OBS-8)", async () => {
    const clock = new SimulatedClock();
    const calls: MetricCall[] = [];
    let attempts = 0;
    const connection = createConnection({
      server: "http://api.test:6443",
      fetch: async () => {
        attempts++;
        if (attempts === 1) throw new TypeError("connection refused");
        if (attempts === 2) return new Response("{}", { status: 503 });
        return Response.json({ metadata: { name: "a" } });
      },
    });
    const metrics = metricsSink((call) => calls.push(call));
    const client = createClient(observeConnection(connection, { clock, metrics }), {
      clock,
      random: () => 0,
    });
    const got = client.resource({ group: "", version: "v1", resource: "pods" }).get("shop/a");
    await clock.advance(10_000);
    await got;
    const text = calls.map(({ labels, name }) => `${name} ${Object.values(labels).join(" ")}`);
    const duration = "rest_client_request_duration_seconds GET api.test:6443";
    expect(text).toEqual([
      "rest_client_requests_total <error> GET api.test:6443",
      duration,
      "rest_client_requests_total 503 GET api.test:6443",
      duration,
      "rest_client_request_retries_total 503 GET api.test:6443",
      "rest_client_requests_total 200 GET api.test:6443",
      duration,
      "rest_client_request_retries_total 200 GET api.test:6443",
    ]);
  });

  test("has templates of paths, without names (OBS-6)", () => {
    expect(
      [
        "/api/v1/pods",
        "/api/v1/namespaces/shop",
        "/api/v1/namespaces/shop/finalize",
        "/api/v1/namespaces/shop/pods/a/log?follow=true",
        "/apis/apps/v1/namespaces/shop/deployments?watch=1",
        "/apis/apps/v1/namespaces/shop/deployments/a/scale",
        "/apis/rbac.authorization.k8s.io/v1/clusterroles/a",
        "/api/v1",
        "/apis",
        "/version",
      ].map(templateOf),
    ).toEqual([
      "/api/v1/pods",
      "/api/v1/namespaces/{name}",
      "/api/v1/namespaces/{namespace}/finalize",
      "/api/v1/namespaces/{namespace}/pods/{name}/log",
      "/apis/apps/v1/namespaces/{namespace}/deployments",
      "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}",
      "/api/v1",
      "/apis",
      "/{path}",
    ]);
  });

  test("has templates below the server's path, however its address is written (OBS-6)", async () => {
    const names: string[] = [];
    const traces: TraceSink = {
      span: (name, _attributes, work) => {
        names.push(name);
        return work({ set: () => {}, headers: {} });
      },
    };
    for (const server of ["https://10.0.0.1:443", "HTTPS://API.test/k8s/clusters/a/"]) {
      const fetch = async () => Response.json({ metadata: { name: "a" } });
      const observed = observeConnection(createConnection({ server, fetch }), { traces });
      const pods = { group: "", version: "v1", resource: "pods" };
      await createClient(observed).resource(pods).get("shop/a");
    }
    const name = "GET /api/v1/namespaces/{namespace}/pods/{name}";
    expect(names).toEqual([name, name]);
  });

  test("refuses what is not a connection, or not a sink", () => {
    const connection = createConnection({ server: "http://api.test" });
    expect(() => observeConnection({} as never, {})).toThrow(InvalidOptionsError);
    expect(() => observeConnection(connection, { metrics: {} as never })).toThrow(/metrics/);
  });
});
