import type { JsonObject } from "../base/json.ts";
import type { Presenter } from "./presenter.ts";
import { ApiError } from "../api/api-error.ts";
import { plainServerError } from "../api/errors.ts";
import { partialObjectMetadata, partialObjectMetadataList } from "./partial-metadata.ts";
import { parseIncludeObject, TableWriter } from "./table.ts";
import type { ResourceRequest } from "../verbs/resource-request.ts";
import {
  type Answer,
  documentResponse,
  listDocument,
  listResponse,
  textResponse,
} from "./answer.ts";

type ListAnswer = Extract<Answer, { type: "list" }>;
type ObjectAnswer = Extract<Answer, { type: "object" }>;

/** Writes the answer of a verb in the form the client asked for. */
export function respond(request: ResourceRequest, answer: Answer): Response {
  const { format, info, presenter } = request;
  const plain =
    format.mediaType === "application/json" && !format.pretty && format.transform === undefined;
  if (answer.type === "document") {
    return documentResponse(info.request, answer.code, answer.body, format);
  }
  if (answer.type === "list") {
    if (plain) return listResponse(info.request, presenter, answer.versions, answer.metadata);
    return documentResponse(info.request, 200, listView(request, answer), format);
  }
  const { code, version } = answer;
  if (!plain) return documentResponse(info.request, code, objectView(request, answer), format);
  return textResponse(info.request, code, format.mediaType, `${presenter.text(version)}\n`);
}

/** The table writer of a request. @throws {ApiError} 400 for a bad `includeObject` */
export function tableWriter({ format, info, served }: ResourceRequest): TableWriter {
  const include = parseIncludeObject(info.query.get("includeObject"));
  return new TableWriter(served, format.transform?.version ?? "v1", include);
}

function listView(request: ResourceRequest, { metadata, versions }: ListAnswer): JsonObject {
  const { core, format, presenter } = request;
  const { transform } = format;
  if (transform === undefined) return listDocument(presenter, versions, metadata);
  if (transform.kind === "PartialObjectMetadata") {
    throw new ApiError({
      code: 406,
      reason: "NotAcceptable",
      message: `you requested ${transform.kind}, but the requested object is a list (${listType(presenter)})`,
    });
  }
  const items = versions.map((version) => presenter.object(version));
  return transform.kind === "Table"
    ? tableWriter(request).list(items, metadata, core.clock.now())
    : partialObjectMetadataList(items, metadata, transform.version);
}

function objectView(request: ResourceRequest, { version }: ObjectAnswer): JsonObject {
  const { core, format, presenter } = request;
  const { transform } = format;
  const object = presenter.object(version);
  if (transform === undefined) return object;
  if (transform.kind === "PartialObjectMetadataList")
    throw plainServerError("content is not a list");
  return transform.kind === "Table"
    ? tableWriter(request).single(object, core.clock.now())
    : partialObjectMetadata(object, transform.version);
}

// How Go names the type of the list.
function listType({ definition }: Presenter): string {
  if (definition.custom) return "*unstructured.UnstructuredList";
  const [group = ""] = definition.group.split(".");
  return `*${group === "" ? "core" : group}.${definition.listKind}`;
}
