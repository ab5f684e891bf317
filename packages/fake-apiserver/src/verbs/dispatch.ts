import { inRealTime } from "@listwatch/core-fifo/base";
import { loadOnce } from "../base/load-once.ts";
import { runSteps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import { commonHeaders, plainTextType, textNotFound } from "../output/result.ts";
import { isConnect, isWebSocket, type RequestInfo } from "../input/request-info.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { respond } from "../output/respond.ts";
import {
  badRequest,
  methodNotAllowed,
  notFound,
  unknownPath,
  unsupportedVerb,
} from "../api/errors.ts";
import { createObject } from "./create.ts";
import { deleteCollection, deleteObject } from "./delete.ts";
import { getObject } from "./get.ts";
import { listObjects } from "./list.ts";
import { patchObject } from "./patch.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { updateObject } from "./update.ts";
import { watchObjects } from "./watch.ts";

const loadScales = loadOnce(() => import("./scale.ts"));

type VerbHandler = (request: ResourceRequest) => Promise<Response | Result>;
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
// Handlers of the status and of other parts with a separate address.
const partHandlers: Handlers = { get: getObject, update: updateObject, patch: patchObject };
// Lists and watches may span all namespaces, everything else is about one of them.
const spanningVerbs: ReadonlySet<string> = new Set(["list", "watch"]);
// The verbs of objects that are checked.
const checkedVerbs: ReadonlySet<string> = new Set(["create", "update", "patch"]);

/** Answers a request for a resource. */
export async function dispatchVerb(request: ResourceRequest): Promise<Response> {
  const result = await runVerb(request);
  if (result instanceof Response) return result;
  await request.converter?.prepare(objectsOf(result));
  return respond(request, result);
}

function objectsOf(result: Result): readonly StoredObject[] {
  if (result.type === "list") return result.objects;
  return result.type === "object" ? [result.stored] : [];
}

/** Runs the verb of a request. @throws {ApiError} for a request that is refused */
export async function runVerb(request: ResourceRequest): Promise<Response | Result> {
  const { definition, info } = request;
  // The routes of built-in resources are of other methods.
  const isHead = info.method === "HEAD" && info.subresource !== "proxy";
  if (isHead && !definition.custom) throw methodNotAllowed();
  const scoped = definition.namespaced
    ? info.namespace !== "" || (info.name === "" && spanningVerbs.has(info.verb))
    : info.namespace === "";
  if (!scoped) return misplaced(definition, info);
  const { verbs } = definition;
  if (verbs !== undefined && info.subresource === "" && !verbs.includes(info.verb)) {
    throw isUnlisted(definition, info) ? unknownPath() : methodNotAllowed();
  }
  if (info.verb === "watch") {
    return isWebSocket(info.request) ? withoutUpgrade() : watchObjects(request);
  }
  const handler = (await findSpecialHandler(request)) ?? findHandler(request, info);
  if (isConnect(info) && request.admission !== undefined) {
    const { checkConnect } = await inRealTime(import("../admission/connect.ts"));
    await runSteps(checkConnect(request.admission, info));
  }
  // Before the body is read: from then on nothing may come between reading and writing an object.
  const { strategy } = request;
  if (checkedVerbs.has(info.verb)) {
    await strategy.loadChecks?.(request.served);
    request.body.onceRead((text) => strategy.loadChecksOf?.(text));
  }
  return handler(request);
}

/** The handler of a subresource that is more than a part of its object. */
async function findSpecialHandler({
  definition,
  info,
  served,
  strategy,
}: ResourceRequest): Promise<VerbHandler | undefined> {
  const { rest, subresource, verb } = info;
  const found = served.subresources?.find(({ name }) => name === subresource);
  if (found === undefined && definition.kind !== "Binding") return undefined;
  if (rest.length > 0 && subresource !== "proxy") throw unknownPath();
  if (found !== undefined && !found.verbs.includes(verb)) throw methodNotAllowed();
  if (strategy.subresourceUpdates?.[subresource] !== undefined) return undefined;
  // Loaded late: most programs never ask for one.
  const { subresourceHandlers } = await inRealTime(
    import("./subresources/subresource-handlers.ts"),
  );
  const { plural } = definition;
  return subresourceHandlers.get(subresource === "" ? plural : `${plural}/${subresource}`);
}

// A client that wants a WebSocket and cannot have one tries again over HTTP when the answer has
// ended, some of them after a 200 alone.
function withoutUpgrade(): Response {
  return new Response("WebSocket is not supported here: watch over HTTP\n", {
    headers: { ...commonHeaders, "content-type": plainTextType },
  });
}

function misplaced(definition: ResourceDefinition, info: RequestInfo): Response {
  if (definition.custom) return textNotFound(info.request);
  const collection = definition.namespaced && info.name === "";
  throw collection && !isUnlisted(definition, info) ? methodNotAllowed() : unknownPath();
}

// Where no list spans the namespaces, nothing is there.
function isUnlisted({ namespaced, verbs }: ResourceDefinition, info: RequestInfo): boolean {
  return namespaced && info.namespace === "" && verbs?.includes("list") === false;
}

function findHandler(found: ResourceRequest, info: RequestInfo): VerbHandler {
  const { definition } = found;
  const handler = handlersOf(found, info)[info.verb];
  if (handler !== undefined) return handler;
  if (!definition.custom) throw methodNotAllowed();
  if (info.name === "" && (info.verb === "update" || info.verb === "patch")) {
    throw badRequest("name must be provided");
  }
  throw unsupportedVerb(definition, info.verb);
}

function handlersOf(
  { definition, served, strategy }: ResourceRequest,
  info: RequestInfo,
): Handlers {
  if (info.name === "") return collectionHandlers;
  if (info.rest.length > 0 && !definition.custom) throw unknownPath();
  const { scale } = served;
  if (info.subresource === "") {
    // A POST to a name is a create for the handler of custom resources.
    return definition.custom ? { ...objectHandlers, create: createObject } : objectHandlers;
  }
  const isPart =
    info.subresource === "status"
      ? served.status
      : strategy.subresourceUpdates?.[info.subresource] !== undefined;
  if (isPart) return partHandlers;
  if (info.subresource === "scale" && scale !== undefined) {
    return {
      get: async (request) => (await loadScales()).getScale(request, scale),
      update: async (request) => (await loadScales()).updateScale(request, scale),
      patch: async (request) => (await loadScales()).patchScale(request, scale),
    };
  }
  throw definition.custom ? notFound(definition, info.name) : unknownPath();
}
