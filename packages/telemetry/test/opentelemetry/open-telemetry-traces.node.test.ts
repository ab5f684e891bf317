// The SDK of OpenTelemetry is heavy for a page.
import { context, propagation, trace } from "@opentelemetry/api";
import {
  TracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace";
import { createClient, observeConnection } from "@listwatch/client";
import { Controller, LeaderElector } from "@listwatch/controller";
import { InvalidOptionsError, silentLog } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTelemetryTraces } from "../../src/opentelemetry.ts";
import { Cluster } from "../support/cluster.ts";
import { LocalContexts } from "../support/local-contexts.ts";

beforeAll(() => {
  context.setGlobalContextManager(new LocalContexts());
  propagation.setGlobalPropagator({
    inject: (active, carrier, setter) => {
      const span = trace.getSpanContext(active);
      if (span !== undefined) {
        setter.set(carrier, "traceparent", `00-${span.traceId}-${span.spanId}-01`);
      }
    },
    extract: (active) => active,
    fields: () => ["traceparent"],
  });
});
afterAll(() => {
  context.disable();
  propagation.disable();
});

const configMaps = { group: "", version: "v1", resource: "configmaps" };

describe("traces of OpenTelemetry", () => {
  test("have spans of a term, lists, reconciles and their requests, which name them to the server (OBS-7)", async () => {
    const cluster = new Cluster();
    await cluster.create("shop/a");
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({
      spanProcessors: [new SimpleSpanProcessor({ exporter })],
    });
    const traces = openTelemetryTraces(provider.getTracer("test"));
    const { clock } = cluster;
    const telemetry = { log: silentLog, traces };
    const connection = observeConnection(cluster.connection, { clock, traces });
    const client = createClient(connection, { clock });
    const lease = { namespace: "default", name: "one" };
    const elector = new LeaderElector({ client, lease, identity: "me", clock, telemetry });
    const factory = new SharedInformerFactory({ connection, clock, log: silentLog, traces });
    const controller = new Controller({
      name: "maps",
      informer: factory.informer(configMaps),
      elector,
      clock,
      telemetry,
      reconcile: async () => {
        await client.resource(configMaps).get("shop/a");
        throw new Error("not today");
      },
      onError: () => {},
    });
    const stop = new AbortController();
    factory.start();
    const running = [elector.run(stop.signal), controller.run(stop.signal)];
    await clock.advance(1);
    stop.abort();
    await Promise.all(running);
    await clock.settle();
    await factory[Symbol.asyncDispose]();

    const spans = exporter.getFinishedSpans();
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named("term")?.attributes).toEqual({
      "listwatch.lease": "default/one",
      "listwatch.identity": "me",
      "listwatch.lost": false,
    });
    expect(named("list v1/configmaps")?.attributes).toMatchObject({
      "listwatch.reflector": "v1/configmaps",
    });
    const reconcile = named("reconcile maps");
    expect(reconcile?.attributes).toEqual({
      "listwatch.controller": "maps",
      "listwatch.key": "shop/a",
    });
    expect(reconcile?.status).toMatchObject({ message: "not today" });
    const get = named("GET /api/v1/namespaces/{namespace}/configmaps/{name}");
    expect(get?.attributes).toMatchObject({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "http.request.resend_count": 0,
    });
    expect(get?.parentSpanContext?.spanId).toBe(reconcile?.spanContext().spanId);
    const [request] = cluster.api.control.recorder.list({ verb: "get", resource: "configmaps" });
    const { spanId, traceId } = get?.spanContext() ?? { spanId: "", traceId: "" };
    expect(request?.headers.get("traceparent")).toBe(`00-${traceId}-${spanId}-01`);
    // No span is made for an event.
    expect(spans.every(({ name }) => /^(?:term|list|reconcile|[A-Z]+ \/)/.test(name))).toBe(true);
  });

  test("refuse what is not a tracer", () => {
    const provider: unknown = new TracerProvider({ spanProcessors: [] });
    expect(() => openTelemetryTraces(provider as never)).toThrow(InvalidOptionsError);
  });
});
