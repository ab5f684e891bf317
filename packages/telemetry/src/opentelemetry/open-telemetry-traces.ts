import { context, propagation, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import type { SpanAttributes, TraceSink, TraceSpan } from "@listwatch/core-fifo";
import { checkOption, describeError, having } from "@listwatch/core-fifo/base";

const aTracer = /* @__PURE__ */ having("startSpan", "startActiveSpan");

/**
 * Returns a sink that creates its spans with a tracer of OpenTelemetry: one for each reconcile,
 * request, list and term of leadership. A request within a reconcile is its child if the program
 * has registered a context manager, as the SDK for Node does. Headers of the registered propagator,
 * such as `traceparent`, name the span of a request to the server, whose spans continue the trace.
 *
 * @throws {InvalidOptionsError} if it is not a tracer
 */
export function openTelemetryTraces(tracer: Tracer): TraceSink {
  checkOption("tracer", tracer, aTracer);
  return {
    async span<R>(
      name: string,
      attributes: SpanAttributes,
      work: (span: TraceSpan) => Promise<R>,
    ): Promise<R> {
      const span = tracer.startSpan(name, { attributes: { ...attributes } });
      const active = trace.setSpan(context.active(), span);
      const traced: TraceSpan = {
        set: (key, value) => void span.setAttribute(key, value),
        get headers() {
          const headers: Record<string, string> = {};
          propagation.inject(active, headers);
          return headers;
        },
      };
      try {
        return await context.with(active, work, undefined, traced);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: describeError(error) });
        throw error;
      } finally {
        span.end();
      }
    },
  };
}
