import type { ResourceRequest } from "../verbs/resource-request.ts";
import {
  type Answer,
  documentResponse,
  listDocument,
  listResponse,
  textResponse,
} from "./answer.ts";

/** Writes the answer of a verb in the form the client asked for. */
export function respond(request: ResourceRequest, answer: Answer): Response {
  const { format, info, presenter } = request;
  const plain = format.mediaType === "application/json" && !format.pretty;
  if (answer.type === "list") {
    const { metadata, versions } = answer;
    if (plain) return listResponse(info.request, presenter, versions, metadata);
    const document = listDocument(presenter, versions, metadata);
    return documentResponse(info.request, 200, document, format);
  }
  if (answer.type === "document") {
    return documentResponse(info.request, answer.code, answer.body, format);
  }
  const { code, version } = answer;
  if (!plain) return documentResponse(info.request, code, presenter.object(version), format);
  return textResponse(info.request, code, format.mediaType, `${presenter.text(version)}\n`);
}
