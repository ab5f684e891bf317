/** Values of the attributes of a span. */
export type SpanAttributes = Readonly<Record<string, boolean | number | string>>;

/** A span in progress, as passed to its work. */
export interface TraceSpan {
  /** Sets an attribute. */
  set(name: string, value: boolean | number | string): void;
  /** Headers that tell a server of the span, such as `traceparent`. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Creates spans for the work of a program: reconciles, requests, lists and terms of leadership.
 * There is none for an event. A sink must not throw.
 */
export interface TraceSink {
  /**
   * Runs work in a span, whose parent is the span that is active when it is called, and returns the
   * result of the work. The span ends when the work has settled; a rejection marks it as failed.
   */
  span<R>(
    name: string,
    attributes: SpanAttributes,
    work: (span: TraceSpan) => Promise<R>,
  ): Promise<R>;
}

const noSpan: TraceSpan = { set: () => {}, headers: {} };

/** Runs work in a span of a sink, or without one. */
export function trace<R>(
  sink: TraceSink | undefined,
  name: string,
  attributes: SpanAttributes,
  work: (span: TraceSpan) => Promise<R>,
): Promise<R> {
  return sink === undefined ? work(noSpan) : sink.span(name, attributes, work);
}
