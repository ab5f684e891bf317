import { metadataOf, type KubernetesObject } from "@listwatch/core-fifo";
import { NetworkError, StatusError, type Status } from "@listwatch/reflector";
import { isRecord, list, listIfAny, text } from "../framework/values.ts";

/** What the cases' objects look like: the kind Widget of example.com/v1. */
export interface Widget extends KubernetesObject {
  readonly spec?: {
    readonly n?: number;
    readonly t?: number;
    readonly bad?: boolean;
    readonly colors?: readonly string[];
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** An object out of the notation of the traces. */
export function widget(notation: unknown): Widget {
  if (!isRecord(notation)) throw new TypeError("Couldn't read an object: expected its notation");
  const { raw, ns, name, uid, rv, n, colors, bad, annotations, kind } = notation;
  if (isRecord(raw)) return raw;
  const spec = {
    n: n ?? 0,
    ...(colors === undefined ? {} : { colors }),
    ...(bad === true ? { bad } : {}),
  };
  return JSON.parse(
    JSON.stringify({
      apiVersion: "example.com/v1",
      kind: kind ?? "Widget",
      metadata: { namespace: ns, name, uid, resourceVersion: rv, annotations },
      ...(name === undefined ? {} : { spec }),
    }),
  );
}

/** What the traces write in place of an object. */
export function digest(object: unknown): string {
  const metadata = metadataOf(object);
  const spec = isRecord(object) && isRecord(object["spec"]) ? object["spec"] : {};
  const transformed = spec["t"] === undefined ? "" : `~${JSON.stringify(spec["t"])}`;
  return `${metadata?.uid ?? ""}@${metadata?.resourceVersion ?? ""}#${JSON.stringify(spec["n"] ?? 0)}${transformed}`;
}

/** The transformers of the cases. They work on a copy. */
export function widgetTransform(name: unknown): ((object: Widget) => Widget) | undefined {
  if (name === undefined) return undefined;
  return (object) => {
    if (name === "stripRV")
      return { ...object, metadata: { ...object.metadata, resourceVersion: "" } };
    const { spec } = object;
    if (name === "failBad" && spec?.bad === true) throw new Error("a bad object");
    return { ...object, spec: { ...spec, t: (spec?.t ?? 0) + 1 } };
  };
}

/** A list document out of an answer. */
export function listDocument(step: Fields): {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: readonly Widget[];
} {
  const { raw } = step;
  if (isRecord(raw)) return { items: [], ...raw };
  return {
    apiVersion: "example.com/v1",
    kind: "WidgetList",
    metadata: {
      resourceVersion: text(step, "resourceVersion"),
      ...(step["continue"] === undefined ? {} : { continue: text(step, "continue") }),
    },
    items: list(step, "items").map(widget),
  };
}

/** A Status object out of its notation. */
export function statusObject(notation: unknown): Status {
  if (!isRecord(notation)) throw new TypeError("Couldn't read a status: expected its notation");
  const { code, reason, message } = notation;
  return JSON.parse(
    JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      code,
      reason,
      message,
      details: { causes: listIfAny(notation, "causes") },
    }),
  );
}

/** The error that an answer stands for. */
export function answeredError(notation: unknown): Error {
  if (!isRecord(notation)) throw new TypeError("Couldn't read an error: expected its notation");
  const { network, status } = notation;
  if (status !== undefined) return new StatusError(statusObject(status));
  switch (network) {
    case "connection-refused":
    case "eof":
    case "unexpected-eof":
      return new NetworkError(network, `The scripted server said ${network}`);
    default:
      throw new TypeError(`Couldn't read an error: ${JSON.stringify(notation)}`);
  }
}

/** What the traces call an error that reached the watch error handler. */
export function errorKind(error: unknown): { readonly kind: string; readonly code?: number } {
  if (error instanceof NetworkError) {
    const kinds = {
      "connection-refused": "connectionRefused",
      eof: "eof",
      "unexpected-eof": "unexpectedEOF",
    };
    return { kind: Object.entries(kinds).find(([kind]) => kind === error.kind)?.[1] ?? "other" };
  }
  if (error instanceof StatusError) {
    const { httpCode: code } = error;
    if (error.isExpired) return { kind: "expired", code };
    if (error.isTooLargeResourceVersion) return { kind: "tooLargeResourceVersion", code };
    return { kind: error.isTooManyRequests ? "tooManyRequests" : "status", code };
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return { kind: code === "LW_UNSUPPORTED_TABLE" ? "unsupportedTable" : "other" };
}
