import {
  aClock,
  aMetricsSink,
  aTraceSink,
  checkOptions,
  createMeters,
  systemClock,
  trace,
  type Clock,
  type MetricsSink,
  type OptionsOf,
  type TraceSink,
} from "@listwatch/core-fifo/base";
import { repetitionOf } from "./attempts.ts";
import { checkConnection, type Connection } from "./connection.ts";

/** Options of {@link observeConnection}. */
export interface ConnectionTelemetry {
  /** Receives `rest_client_*`, under client-go's names. @default none */
  readonly metrics?: MetricsSink | undefined;
  /** Receives a span for each request, whose headers name it for the server. @default none */
  readonly traces?: TraceSink | undefined;
  /** Clock of the durations. @default systemClock */
  readonly clock?: Clock | undefined;
}

const telemetryTable: OptionsOf<ConnectionTelemetry> = {
  metrics: aMetricsSink,
  traces: aTraceSink,
  clock: aClock,
};

/**
 * Returns a connection that measures and traces the requests of all its users: clients, informers
 * and electors. A duration is the time until the response begins. The code of a request that gets
 * none is `<error>`, as in client-go. A span has the method, the path with placeholders instead of
 * names and namespaces, the code, and the number of earlier attempts.
 *
 * @throws {InvalidOptionsError} if the connection or an option cannot be used
 */
export function observeConnection<C extends Connection>(
  connection: C,
  telemetry: ConnectionTelemetry,
): C {
  checkConnection(connection);
  checkOptions(telemetry, telemetryTable);
  const { clock = systemClock, metrics, traces } = telemetry;
  // URLs of requests are normalized, the address of the server is as it was given.
  const base = globalThis.location?.href ?? "http://localhost";
  const { host, pathname } = new URL(connection.server, base);
  const prefix = pathname.replace(/\/+$/, "");
  const count = requestCounters(metrics, host);
  const fetch = async (request: Request): Promise<Response> => {
    const { method, url } = request;
    const template = templateOf(new URL(url).pathname.slice(prefix.length));
    const attributes = {
      "http.request.method": method,
      "url.template": template,
      "server.address": host,
      "http.request.resend_count": repetitionOf(request.signal),
    };
    return trace(traces, `${method} ${template}`, attributes, async (span) => {
      for (const [name, value] of Object.entries(span.headers)) request.headers.set(name, value);
      const startMs = clock.now();
      let code = "<error>";
      try {
        const response = await connection.fetch(request);
        code = String(response.status);
        span.set("http.response.status_code", response.status);
        return response;
      } finally {
        const isRepeated = repetitionOf(request.signal) > 0;
        count(method, code, (clock.now() - startMs) / 1000, isRepeated);
      }
    });
  };
  return { ...connection, fetch };
}

/** client-go's metrics of requests, tools/metrics/metrics.go. Each has other labels. */
const requestMeters = { requests: ["counter", "rest_client_requests_total"] } as const;
const retryMeters = { retries: ["counter", "rest_client_request_retries_total"] } as const;
const timeMeters = { time: ["histogram", "rest_client_request_duration_seconds"] } as const;

type CountRequest = (method: string, code: string, seconds: number, isRepeated: boolean) => void;

function requestCounters(metrics: MetricsSink | undefined, host: string): CountRequest {
  // The varying labels are few: methods and codes.
  const meters = new Map<string, ReturnType<typeof create>>();
  const create = (method: string, code: string) => ({
    ...createMeters(metrics, requestMeters, { code, method, host }),
    ...createMeters(metrics, retryMeters, { code, verb: method, host }),
    ...createMeters(metrics, timeMeters, { verb: method, host }),
  });
  return (method, code, seconds, isRepeated) => {
    const key = `${method} ${code}`;
    const each = meters.get(key) ?? create(method, code);
    meters.set(key, each);
    each.requests?.inc();
    each.time?.observe(seconds);
    if (isRepeated) each.retries?.inc();
  };
}

/**
 * Replaces names and namespaces in a path, so that the number of templates is that of resources:
 * `/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale`.
 */
export function templateOf(path: string): string {
  const [, prefix, ...rest] = path.replace(/\?.*/s, "").split("/");
  if (prefix !== "api" && prefix !== "apis") return "/{path}";
  const head = rest.splice(0, prefix === "api" ? 1 : 2);
  const shown = ["", prefix, ...head];
  if (rest[0] === "namespaces" && rest.length > 2) {
    shown.push("namespaces", "{namespace}");
    rest.splice(0, 2);
  }
  const [resource, name, ...subresource] = rest;
  if (resource !== undefined) shown.push(resource);
  if (name !== undefined) shown.push("{name}");
  // A proxied path follows the subresource.
  if (subresource[0] !== undefined) shown.push(subresource[0]);
  return shown.join("/");
}
