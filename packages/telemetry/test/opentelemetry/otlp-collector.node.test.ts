// The exporters and the stand-in for a collector need sockets.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { context } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { createClient, observeConnection } from "@listwatch/client";
import { Controller } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { inRealTime } from "@listwatch/core-fifo/base";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTelemetryMetrics, openTelemetryTraces } from "../../src/opentelemetry.ts";
import { Cluster } from "../support/cluster.ts";
import { LocalContexts } from "../support/local-contexts.ts";

/** Attributes as OTLP in JSON has them. */
type Attributes = readonly { readonly key: string; readonly value: object }[];

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Attributes;
  readonly status: { readonly code: number; readonly message?: string };
}

interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] };
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
}

interface Point {
  readonly attributes: Attributes;
  readonly asDouble?: number;
  readonly count?: number;
  readonly explicitBounds?: readonly number[];
}

/** A stand-in for an OTLP collector over HTTP, which keeps what it receives. */
class Collector {
  readonly bodies: { readonly path: string; readonly body: any }[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  readonly #server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => void (text += part));
    request.on("end", () => {
      this.headers.push(request.headers);
      this.bodies.push({ path: request.url ?? "", body: JSON.parse(text) });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  get spans(): readonly ReceivedSpan[] {
    return this.#of("/v1/traces", "resourceSpans", "scopeSpans", "spans");
  }

  get metrics(): readonly ReceivedMetric[] {
    return this.#of("/v1/metrics", "resourceMetrics", "scopeMetrics", "metrics");
  }

  #of(path: string, ...members: readonly string[]): any[] {
    let found: any[] = this.bodies.filter((each) => each.path === path).map(({ body }) => body);
    for (const member of members) found = found.flatMap((each) => each[member]);
    return found;
  }
}

beforeAll(() => void context.setGlobalContextManager(new LocalContexts()));
afterAll(() => context.disable());

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

test("a collector receives metrics and spans over OTLP, with units, attributes and parents (OBS-5, OBS-7)", async () => {
  const collector = new Collector();
  const url = await collector.listen();
  const exporter = new OTLPMetricExporter({ url: `${url}/v1/metrics` });
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  const tracers = new TracerProvider({
    spanProcessors: [
      new SimpleSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${url}/v1/traces` }) }),
    ],
  });
  const metrics = openTelemetryMetrics(meters.getMeter("listwatch"));
  const traces = openTelemetryTraces(tracers.getTracer("listwatch"));

  const cluster = new Cluster();
  await cluster.create("shop/a");
  const { clock } = cluster;
  const telemetry = { log: silentLog, metrics, traces };
  const connection = observeConnection(cluster.connection, { clock, metrics, traces });
  const client = createClient(connection, { clock });
  const configMaps = { group: "", version: "v1", resource: "configmaps" };
  const factory = new SharedInformerFactory({ connection, clock, log: silentLog, metrics, traces });
  const controller = new Controller({
    name: "maps",
    informer: factory.informer(configMaps),
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
  const running = controller.run(stop.signal);
  await clock.advance(1);
  stop.abort();
  await running;
  await factory[Symbol.asyncDispose]();
  await inRealTime(Promise.all([meters.shutdown(), tracers.shutdown()]));
  await collector.close();

  for (const each of collector.headers) expect(each["content-type"]).toBe("application/json");

  const span = (name: string) => collector.spans.find((each) => each.name === name);
  expect(span("list v1/configmaps")?.attributes).toContainEqual(
    text("listwatch.reflector", "v1/configmaps"),
  );
  const reconcile = span("reconcile maps");
  expect(reconcile?.attributes).toEqual([
    text("listwatch.controller", "maps"),
    text("listwatch.key", "shop/a"),
  ]);
  // STATUS_CODE_ERROR of opentelemetry/proto/trace/v1/trace.proto.
  expect(reconcile?.status).toEqual({ code: 2, message: "not today" });
  expect(reconcile?.parentSpanId).toBeUndefined();
  const get = span("GET /api/v1/namespaces/{namespace}/configmaps/{name}");
  expect(get?.attributes).toContainEqual(text("http.request.method", "GET"));
  expect(get?.parentSpanId).toBe(reconcile?.spanId);
  expect(get?.traceId).toBe(reconcile?.traceId);

  const metric = (name: string) => collector.metrics.find((each) => each.name === name);
  expect(metric("workqueue_adds_total")).toMatchObject({
    unit: "",
    description: expect.stringMatching(/\w/),
    sum: { isMonotonic: true },
  });
  const failed = metric("controller_runtime_reconcile_errors_total")?.sum?.dataPoints;
  expect(failed).toMatchObject([{ attributes: [text("controller", "maps")], asDouble: 1 }]);
  expect(metric("workqueue_depth")?.gauge?.dataPoints[0]?.attributes).toContainEqual(
    text("name", "maps"),
  );
  const took = metric("rest_client_request_duration_seconds");
  expect(took?.unit).toBe("s");
  const [point] = took?.histogram?.dataPoints ?? [];
  expect(point?.attributes).toContainEqual(text("verb", "GET"));
  expect(point?.explicitBounds).toContain(0.005);
  // No metric carries the name or the namespace of an object.
  expect(JSON.stringify(collector.metrics)).not.toContain("shop");
});
