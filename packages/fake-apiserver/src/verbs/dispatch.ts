import { documentResponse, listResponse, textResponse, type Answer } from "../http/answer.ts";
import type { Verb } from "../http/request-info.ts";
import { methodNotAllowed } from "../status/errors.ts";
import { createObject } from "./create.ts";
import { deleteObject } from "./delete.ts";
import { getObject } from "./get.ts";
import { listObjects } from "./list.ts";
import { patchObject } from "./patch.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { updateObject } from "./update.ts";
import { watchObjects } from "./watch.ts";

type VerbHandler = (request: ResourceRequest) => Promise<Answer>;

const handlers: Readonly<Record<Exclude<Verb, "watch" | "" | "deletecollection">, VerbHandler>> = {
  get: getObject,
  list: listObjects,
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
};

/** Runs the verb of a request. */
export async function dispatchVerb(request: ResourceRequest): Promise<Response> {
  const { verb } = request.info;
  if (verb === "watch") return watchObjects(request);
  if (verb === "" || verb === "deletecollection") throw methodNotAllowed();
  return respond(request, await handlers[verb](request));
}

function respond(request: ResourceRequest, answer: Answer): Response {
  const { format, info, presenter } = request;
  if (answer.type === "list") {
    return listResponse(info.request, presenter, answer.versions, answer.metadata);
  }
  if (answer.type === "document") {
    return documentResponse(info.request, answer.code, answer.body, format);
  }
  if (format.mediaType === "application/json" && !format.pretty) {
    const text = `${presenter.text(answer.version)}\n`;
    return textResponse(info.request, answer.code, "application/json", text);
  }
  return documentResponse(info.request, answer.code, presenter.object(answer.version), format);
}
