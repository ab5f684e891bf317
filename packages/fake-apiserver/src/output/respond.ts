import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { customScaleColumns, scaleColumns } from "../kinds/columns.ts";
import type { Presenter } from "./presenter.ts";
import { ApiError } from "../api/api-error.ts";
import { plainServerError } from "../api/errors.ts";
import { partialObjectMetadata, partialObjectMetadataList } from "./partial-metadata.ts";
import { parseIncludeObject, TableWriter } from "./table.ts";
import type { OutputFormat } from "./negotiation.ts";
import {
  type Result,
  documentResponse,
  listDocument,
  listResponse,
  textResponse,
} from "./result.ts";

type ListResult = Extract<Result, { type: "list" }>;
type ObjectResult = Extract<Result, { type: "object" }>;

/** Determines the form of an answer. */
export interface ResponseContext {
  readonly info: { readonly request: Request; readonly query: URLSearchParams };
  readonly format: OutputFormat;
  readonly presenter: Presenter;
  /** For the ages in tables. */
  readonly clock: { now(): number };
}

/** Returns what shows the objects of a response in its format. */
export function shownBy({
  format,
  presenter,
}: Pick<ResponseContext, "format" | "presenter">): Presenter {
  return format.dropsManagedFields === true ? presenter.withoutManagedFields() : presenter;
}

/** Writes the answer of a verb in the form the client asked for. */
export async function respond(request: ResponseContext, result: Result): Promise<Response> {
  const presenter = shownBy(request);
  const { format, info } = request;
  const context: ResponseContext = { ...request, presenter };
  const plain =
    format.mediaType === "application/json" && !format.pretty && format.transform === undefined;
  if (result.type === "document") {
    const view = documentView(context, result.body);
    return documentResponse(info.request, result.code, view, format);
  }
  if (result.type === "list") {
    if (plain) return listResponse(info.request, presenter, result.objects, result.metadata);
    return documentResponse(info.request, 200, listView(context, result), format);
  }
  const { code, stored } = result;
  if (!plain) return documentResponse(info.request, code, objectView(context, result), format);
  return textResponse(info.request, code, format.mediaType, `${presenter.text(stored)}\n`);
}

/** The table writer of a request. @throws {ApiError} 400 for a bad `includeObject` */
export function tableWriter({
  format,
  info,
  presenter,
}: Omit<ResponseContext, "clock">): TableWriter {
  const include = parseIncludeObject(info.query.get("includeObject"));
  return new TableWriter(presenter.served, format.transform?.version ?? "v1", include);
}

function listView(context: ResponseContext, { metadata, objects }: ListResult): JsonObject {
  const { clock, format, presenter } = context;
  const { transform } = format;
  if (transform === undefined) return listDocument(presenter, objects, metadata);
  if (transform.kind === "PartialObjectMetadata") {
    throw otherView(transform.kind, `a list (${goType(presenter, presenter.definition.listKind)})`);
  }
  const items = objects.map((stored) => presenter.object(stored));
  return transform.kind === "Table"
    ? tableWriter(context).list(items, metadata, clock.now())
    : partialObjectMetadataList(items, metadata, transform.version);
}

// Scale is the only subresource body that can be shown as a Table or metadata.
function documentView(
  { clock, format, info, presenter }: ResponseContext,
  body: JsonObject,
): JsonObject {
  const { transform } = format;
  if (transform === undefined || body["kind"] !== "Scale") return body;
  const object: ApiObject = { ...body, metadata: recordOf(body["metadata"]) };
  if (transform.kind !== "Table") return partialObjectMetadata(object, transform.version);
  const include = parseIncludeObject(info.query.get("includeObject"));
  const columns = presenter.definition.custom ? customScaleColumns : scaleColumns;
  return new TableWriter({ columns }, transform.version, include).single(object, clock.now());
}

function objectView(context: ResponseContext, { stored }: ObjectResult): JsonObject {
  const { clock, format, presenter } = context;
  const { transform } = format;
  const object = presenter.object(stored);
  if (transform === undefined) return object;
  if (transform.kind === "PartialObjectMetadataList") {
    if (presenter.definition.custom) throw plainServerError("content is not a list");
    throw otherView(transform.kind, `not a list (${goType(presenter, presenter.definition.kind)})`);
  }
  return transform.kind === "Table"
    ? tableWriter(context).single(object, clock.now())
    : partialObjectMetadata(object, transform.version);
}

function otherView(view: string, what: string): ApiError {
  const message = `you requested ${view}, but the requested object is ${what}`;
  return new ApiError({ code: 406, reason: "NotAcceptable", message });
}

// How Go names the type of an object or a list.
function goType({ definition }: Presenter, kind: string): string {
  if (definition.custom) return "*unstructured.UnstructuredList";
  const [group = ""] = definition.group.split(".");
  return `*${group === "" ? "core" : group}.${kind}`;
}
