import type { Result } from "../output/result.ts";
import { textNotFound } from "../output/result.ts";
import { isSet } from "../input/request-info.ts";
import { respond } from "../output/respond.ts";
import {
  badRequest,
  methodNotAllowed,
  notFound,
  unknownPath,
  unsupportedVerb,
} from "../api/errors.ts";
import { createObject } from "./create.ts";
import { deleteCollection } from "./delete-collection.ts";
import { deleteObject } from "./delete.ts";
import { getObject } from "./get.ts";
import { listObjects } from "./list.ts";
import { patchObject } from "./patch.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { getScale, patchScale, updateScale } from "./scale.ts";
import { updateObject } from "./update.ts";
import { watchObjects } from "./watch.ts";

type VerbHandler = (request: ResourceRequest) => Promise<Result>;
type Handlers = Readonly<Partial<Record<string, VerbHandler>>>;

const collectionHandlers: Handlers = {
  list: listObjects,
  create: createObject,
  deletecollection: deleteCollection,
};
const objectHandlers: Handlers = {
  get: getObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
};
const statusHandlers: Handlers = { get: getObject, update: updateObject, patch: patchObject };
// Lists and watches may span all namespaces, everything else is about one of them.
const spanningVerbs = new Set(["list", "watch"]);

/** Runs the verb of a request. */
export async function dispatchVerb(request: ResourceRequest): Promise<Response> {
  const { definition, info } = request;
  const scoped = definition.namespaced
    ? info.namespace !== "" || (info.name === "" && spanningVerbs.has(info.verb))
    : info.namespace === "";
  if (!scoped) return misplaced(request);
  const watchesOne = info.name !== "" && info.subresource === "" && isSet(info.query, "watch");
  if (info.verb === "watch" || (watchesOne && info.verb === "get" && !definition.custom)) {
    return watchObjects(request);
  }
  const handler = findHandler(request);
  return respond(request, await handler(request));
}

function misplaced({ definition, info }: ResourceRequest): Response {
  if (definition.custom) return textNotFound(info.request);
  const collection = definition.namespaced && info.name === "";
  throw collection ? methodNotAllowed() : unknownPath();
}

function findHandler(request: ResourceRequest): VerbHandler {
  const { definition, info } = request;
  const handler = handlersOf(request)[info.verb];
  if (handler !== undefined) return handler;
  if (!definition.custom) throw methodNotAllowed();
  if (info.name === "" && (info.verb === "update" || info.verb === "patch")) {
    throw badRequest("name must be provided");
  }
  throw unsupportedVerb(definition, info.verb);
}

function handlersOf({ definition, info, served }: ResourceRequest): Handlers {
  if (info.name === "") return collectionHandlers;
  const { scale } = served;
  if (info.subresource === "") {
    // A POST to a name is a create for the handler of custom resources.
    return definition.custom ? { ...objectHandlers, create: createObject } : objectHandlers;
  }
  if (info.subresource === "status" && served.status) return statusHandlers;
  if (info.subresource === "scale" && scale !== undefined) {
    return {
      get: (request) => getScale(request, scale),
      update: (request) => updateScale(request, scale),
      patch: (request) => patchScale(request, scale),
    };
  }
  throw definition.custom ? notFound(definition, info.name) : unknownPath();
}
