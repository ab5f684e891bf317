import { notAcceptable, notRoutable } from "../api/errors.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { protobufType } from "../protobuf/protobuf.ts";

/** Another view of the object than the object itself. */
interface Transform {
  readonly kind: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  /** Version of meta.k8s.io. */
  readonly version: "v1" | "v1beta1";
}

/** The form of an answer. */
export interface OutputFormat {
  readonly mediaType: "application/json" | "application/yaml" | typeof protobufType;
  readonly transform: Transform | undefined;
  /** JSON with line breaks and indentation. */
  readonly pretty: boolean;
  /** Objects are written without `metadata.managedFields` (KEP-5958). */
  readonly dropsManagedFields?: boolean;
}

/** Forms that a server can answer in. */
export interface ServedForms {
  readonly protobuf: ProtobufForms;
  /** Whether objects can be shown as a table. @default true */
  readonly tables?: boolean;
  /** Whether the parameter `drop` counts; a server without the feature ignores it. */
  readonly managedFieldsOptOut?: boolean;
}

/**
 * Documents with a protobuf form: built-in objects and discovery, only the metadata of custom
 * resources, no other documents.
 */
export type ProtobufForms = "objects" | "metadata" | "none";

interface AcceptClause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const resourceTypes: readonly string[] = ["application/json", "application/yaml", protobufType];
const watchTypes: readonly string[] = [
  "application/json;stream=watch",
  `${protobufType};stream=watch`,
];
const jsonRanges = new Set(["", "*/*", "application/*", "application/json"]);
// Programs with these names are used by people: k8s.io/apiserver negotiate.go, `isPrettyPrint`.
const peoplesAgents: readonly string[] = ["curl", "Wget", "Mozilla/5.0"];
const trueTexts = new Set(["1", "t", "T", "true", "TRUE", "True"]);

/**
 * The form to answer in when nothing was asked for, as for errors of requests that cannot be
 * negotiated.
 */
function plainFormat(info: RequestInfo): OutputFormat {
  return { mediaType: "application/json", transform: undefined, pretty: wantsPretty(info) };
}

/**
 * Chooses the form of an answer from the Accept header: the first clause that can be served.
 *
 * @throws {ApiError} 406 when there is none.
 */
export function negotiate(
  info: RequestInfo,
  { protobuf, managedFieldsOptOut = false, tables = true }: ServedForms = { protobuf: "objects" },
): OutputFormat {
  const accept = info.request.headers.get("accept");
  const pretty = wantsPretty(info);
  if (accept === null || accept === "" || accept === "application/json") {
    return { mediaType: "application/json", transform: undefined, pretty };
  }
  if (protobuf === "objects" && isRouted(info)) {
    const isCollection = info.method === "GET" && info.name === "" && info.resource !== "";
    assertRoutable(info, isCollection ? [...resourceTypes, ...watchTypes] : resourceTypes);
  }
  let isServed = false;
  for (const clause of parseAccept(accept)) {
    const format = serve(clause, pretty, protobuf);
    if (format === undefined || (!tables && format.transform?.kind === "Table")) continue;
    if (info.verb !== "watch" || format.mediaType !== "application/yaml") {
      const dropsManagedFields = managedFieldsOptOut && dropsThem(clause);
      return dropsManagedFields ? { ...format, dropsManagedFields } : format;
    }
    isServed = true;
  }
  // A real server does not look at what a client accepts of these documents.
  if (protobuf === "none") return plainFormat(info);
  throw notAcceptable(isServed ? watchTypes : resourceTypes);
}

// The groups of discovery have no routes: k8s.io/kube-aggregator handler_apis.go.
function isRouted({ path }: RequestInfo): boolean {
  return !/^\/apis(?:\/[^/]*)?\/?$/.test(path);
}

/**
 * Refuses a request that accepts none of the types that its route has. go-restful, which has the
 * routes of built-in resources, knows single types and the range of all, and no views.
 *
 * @throws {ApiError} 406
 */
export function assertRoutable({ request }: RequestInfo, available: readonly string[]): void {
  const accept = request.headers.get("accept") ?? "";
  const isRoutable = ({ mediaType }: AcceptClause): boolean =>
    mediaType === "" || mediaType === "*/*" || available.includes(mediaType);
  if (!parseAccept(accept).some(isRoutable)) throw notRoutable(available);
}

/** The form of a refusal: that of the first clause which asks for no other view, else JSON. */
export function errorFormat(info: RequestInfo): OutputFormat {
  const plain = plainFormat(info);
  for (const clause of parseAccept(info.request.headers.get("accept") ?? "")) {
    if (clause.mediaType === "application/yaml") return { ...plain, mediaType: "application/yaml" };
    if (clause.mediaType === protobufType && !clause.parameters.has("as")) {
      return { ...plain, mediaType: protobufType };
    }
    // People look at tables, so kubectl's errors are indented.
    if (clause.parameters.has("as")) return { ...plain, pretty: true };
    if (jsonRanges.has(clause.mediaType)) return plain;
  }
  return plain;
}

function serve(
  clause: AcceptClause,
  pretty: boolean,
  protobuf: ProtobufForms,
): OutputFormat | undefined {
  const view = clause.parameters.get("as");
  const transform = view === undefined ? undefined : transformOf(view, clause.parameters);
  if (view !== undefined && transform === undefined) return undefined;
  if (jsonRanges.has(clause.mediaType)) return { mediaType: "application/json", transform, pretty };
  if (clause.mediaType === "application/yaml") {
    return { mediaType: "application/yaml", transform, pretty };
  }
  if (clause.mediaType === protobufType && hasProtobuf(protobuf, transform)) {
    return { mediaType: protobufType, transform, pretty };
  }
  return undefined;
}

// Targets that a server does not know are ignored.
function dropsThem({ parameters }: AcceptClause): boolean {
  return (parameters.get("drop") ?? "").split("+").includes("metadata.managedFields");
}

function hasProtobuf(forms: ProtobufForms, transform: Transform | undefined): boolean {
  if (forms === "none" || transform?.kind === "Table") return false;
  return forms === "objects" || transform !== undefined;
}

function transformOf(kind: string, parameters: ReadonlyMap<string, string>): Transform | undefined {
  const version = parameters.get("v");
  if (parameters.get("g") !== "meta.k8s.io") return undefined;
  if (version !== "v1" && version !== "v1beta1") return undefined;
  switch (kind) {
    case "Table":
    case "PartialObjectMetadata":
    case "PartialObjectMetadataList":
      return { kind, version };
    default:
      return undefined;
  }
}

/**
 * The clauses of an Accept header, the most wanted first: by their weights, then ranges after what
 * they contain, else as they are written (munnerlyn/goautoneg).
 */
export function parseAccept(accept: string): readonly AcceptClause[] {
  const clauses = accept.split(",").map((text) => {
    const [mediaType = "", ...rest] = text.split(";").map((part) => part.trim());
    const parameters = new Map<string, string>();
    for (const part of rest) {
      const equals = part.indexOf("=");
      if (equals > 0) parameters.set(part.slice(0, equals), part.slice(equals + 1));
    }
    return { mediaType: mediaType.toLowerCase(), parameters };
  });
  return clauses.toSorted(
    (one, other) =>
      weightOf(other) - weightOf(one) || stars(one.mediaType) - stars(other.mediaType),
  );
}

function weightOf({ parameters }: AcceptClause): number {
  return Number(parameters.get("q") ?? 1) || 0;
}

function stars(mediaType: string): number {
  return mediaType.split("*").length;
}

function wantsPretty(info: RequestInfo): boolean {
  const asked = info.query.get("pretty");
  if (asked !== null && asked !== "") return trueTexts.has(asked);
  const agent = info.request.headers.get("user-agent") ?? "";
  return peoplesAgents.some((prefix) => agent.startsWith(prefix));
}
