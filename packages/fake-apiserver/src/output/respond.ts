import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { customScaleColumns, scaleColumns } from "../kinds/columns.ts";
import type { PrinterColumn } from "../api/resource-definition.ts";
import type { Presenter } from "./presenter.ts";
import { ApiError } from "../api/api-error.ts";
import { plainServerError } from "../api/errors.ts";
import { partialObjectMetadata, partialObjectMetadataList } from "./partial-metadata.ts";
import { describeColumns, parseIncludeObject, TableWriter } from "./table.ts";
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
    const view = await documentView(context, result.body);
    return documentResponse(info.request, result.code, view, format);
  }
  if (result.type === "list") {
    if (plain) return listResponse(info.request, presenter, result.objects, result.metadata);
    return documentResponse(info.request, 200, await listView(context, result), format);
  }
  const { code, stored } = result;
  if (!plain) {
    return documentResponse(info.request, code, await objectView(context, result), format);
  }
  return textResponse(info.request, code, format.mediaType, `${presenter.text(stored)}\n`);
}

/** The table writer of a request. @throws {ApiError} 400 for a bad `includeObject` */
export async function tableWriter(
  { format, info, presenter }: Omit<ResponseContext, "clock">,
  columns: readonly PrinterColumn[] = presenter.served.columns,
): Promise<TableWriter> {
  const include = parseIncludeObject(info.query.get("includeObject"));
  const { rowConditions } = presenter.served;
  const descriptions = await describeColumns(presenter.definition);
  const version = format.transform?.version ?? "v1";
  return new TableWriter({ columns, rowConditions }, version, include, descriptions);
}

async function listView(
  context: ResponseContext,
  { metadata, objects }: ListResult,
): Promise<JsonObject> {
  const { clock, format, presenter } = context;
  const { transform } = format;
  if (transform === undefined) return listDocument(presenter, objects, metadata);
  if (transform.kind === "PartialObjectMetadata") {
    throw otherView(transform.kind, `a list (${goType(presenter, presenter.definition.listKind)})`);
  }
  const items = objects.map((stored) => presenter.object(stored));
  return transform.kind === "Table"
    ? (await tableWriter(context)).list(items, metadata, clock.now())
    : partialObjectMetadataList(items, metadata, transform.version);
}

// Scale is the only subresource body that can be shown as a Table or metadata.
async function documentView(context: ResponseContext, body: JsonObject): Promise<JsonObject> {
  const { clock, format, presenter } = context;
  const { transform } = format;
  if (transform === undefined || body["kind"] !== "Scale") return body;
  const object: ApiObject = { ...body, metadata: recordOf(body["metadata"]) };
  if (transform.kind !== "Table") return partialObjectMetadata(object, transform.version);
  const columns = presenter.definition.custom ? customScaleColumns : scaleColumns;
  return (await tableWriter(context, columns)).single(object, clock.now());
}

async function objectView(context: ResponseContext, { stored }: ObjectResult): Promise<JsonObject> {
  const { clock, format, presenter } = context;
  const { transform } = format;
  const object = presenter.object(stored);
  if (transform === undefined) return object;
  if (transform.kind === "PartialObjectMetadataList") {
    if (presenter.definition.custom) throw plainServerError("content is not a list");
    throw notAList(presenter);
  }
  return transform.kind === "Table"
    ? (await tableWriter(context)).single(object, clock.now())
    : partialObjectMetadata(object, transform.version);
}

/** The refusal to show one object as a list of metadata. */
export function notAList(presenter: Pick<Presenter, "definition">): ApiError {
  const type = goType(presenter, presenter.definition.kind);
  return otherView("PartialObjectMetadataList", `not a list (${type})`);
}

function otherView(view: string, what: string): ApiError {
  const message = `you requested ${view}, but the requested object is ${what}`;
  return new ApiError({ code: 406, reason: "NotAcceptable", message });
}

// How Go names the type of an object or a list.
function goType({ definition }: Pick<Presenter, "definition">, kind: string): string {
  if (definition.custom) return "*unstructured.UnstructuredList";
  const [group = ""] = definition.group.split(".");
  return `*${group === "" ? "core" : group}.${kind}`;
}
