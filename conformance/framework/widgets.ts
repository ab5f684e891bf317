// The objects of the reflector and informer recordings: their notation, digests, and transformers.
import { metaNamespaceKey } from "@listwatch/core-fifo";
import { NetworkError, StatusError, isTooManyRequests, type Status } from "@listwatch/client";
import { isExpired, isTooLargeResourceVersion } from "@listwatch/client/base";
import { isRecord, text } from "./values.ts";
import { inSourceForm } from "../../tests/support/object-form.ts";

/** The object of the recordings. */
export interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: {
    readonly n: number;
    readonly colors?: readonly string[];
    readonly bad?: boolean;
    readonly t?: number;
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Decodes the notation of an object. */
export function widgetOf(notation: unknown): unknown {
  if (!isRecord(notation)) throw new TypeError("Couldn't read an object: expected its notation");
  if ("raw" in notation) return notation["raw"];
  const { annotations, bad, colors, kind, n, name, ns, rv, uid } = notation;
  return inSourceForm(
    present({
      apiVersion: "example.com/v1",
      kind: kind ?? "Widget",
      metadata: present({ namespace: ns, name, uid, resourceVersion: rv, annotations }),
      spec: name === undefined ? undefined : present({ n: n ?? 0, colors, bad }),
    }),
  );
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The recordings' digest of an object: `<uid>@<resourceVersion>#<spec.n>`, with `~<spec.t>` if it
 * was transformed.
 */
export function digest(object: Widget): string {
  const { metadata, spec } = object;
  const transformed = spec?.t === undefined ? "" : `~${spec.t}`;
  return `${metadata.uid ?? ""}@${metadata.resourceVersion ?? ""}#${spec?.n ?? 0}${transformed}`;
}

export function widgetKey(object: Widget): string {
  return metaNamespaceKey(object, { allowMissingName: true });
}

/** Returns the transformer that a case names. */
export function widgetTransform(name: unknown): ((object: Widget) => Widget) | undefined {
  switch (name) {
    case undefined:
      return undefined;
    case "count":
      return counted;
    case "failBad":
      return (object) => {
        if (object.spec?.bad === true) throw new Error("told to fail");
        return counted(object);
      };
    case "stripRV":
      return (object) => ({ ...object, metadata: { ...object.metadata, resourceVersion: "" } });
    default:
      throw new TypeError(`Couldn't find the transformer ${JSON.stringify(name)}`);
  }
}

function counted(object: Widget): Widget {
  const { spec = { n: 0 } } = object;
  return { ...object, spec: { ...spec, t: (spec.t ?? 0) + 1 } };
}

/** Decodes the notation of a Status. */
export function statusOf(notation: unknown): Status {
  const { causes, code, message, reason } = isRecord(notation) ? notation : {};
  return {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    ...present({ code, message, reason }),
    ...(Array.isArray(causes) ? { details: { causes } } : {}),
  };
}

/** Decodes the notation of an error. */
export function errorOf(notation: unknown): Error {
  const error = isRecord(notation) ? notation : {};
  if ("status" in error) return new StatusError(statusOf(error["status"]));
  const kind = text(error, "network");
  return new NetworkError(networkKind(kind), `The connection failed: ${kind}`);
}

function networkKind(kind: string): NetworkError["kind"] {
  if (kind === "connection-refused" || kind === "eof" || kind === "unexpected-eof") return kind;
  throw new TypeError(`Couldn't read an error: unknown kind of network error ${kind}`);
}

/** Returns the recordings' `kind` and `code` of an error. */
export function describeFailure(error: unknown): Fields {
  if (error instanceof StatusError) {
    return { kind: statusKind(error), code: error.status.code };
  }
  if (error instanceof NetworkError) return { kind: networkKinds[error.kind] ?? "other" };
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "LW_UNSUPPORTED_TABLE") return { kind: "unsupportedTable" };
  return { kind: code === "LW_TRANSFORM" || code === "LW_KEY" ? "store" : "other" };
}

function statusKind(error: StatusError): string {
  if (isExpired(error)) return "expired";
  if (isTooLargeResourceVersion(error)) return "tooLargeResourceVersion";
  return isTooManyRequests(error) ? "tooManyRequests" : "status";
}

const networkKinds: Readonly<Record<string, string>> = {
  "connection-refused": "connectionRefused",
  eof: "eof",
  "unexpected-eof": "unexpectedEOF",
};
