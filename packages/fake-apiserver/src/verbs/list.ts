import type { Result } from "../output/result.ts";
import type { ListMetadata } from "../output/partial-metadata.ts";
import { badRequest, expired, tooLargeResourceVersion } from "../api/errors.ts";
import {
  type ContinueToken,
  decodeContinueToken,
  encodeContinueToken,
  keyAfter,
} from "../storage/continue-token.ts";
import { endOfRoot, lowerBound } from "../storage/sorted-objects.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Versions } from "../storage/versions.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { checkListOptions, type ListOptions, parseListOptions } from "../input/list-options.ts";
import { createObjectFilter, type ObjectFilter } from "./object-filter.ts";
import type { ResourceRequest } from "./resource-request.ts";
import {
  awaitRevision,
  parseRevision,
  type ReadView,
  type ResourceRead,
  revisionComplaint,
  visibleRevision,
} from "./revisions.ts";

const tooOldContinue =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
const tooOldList = "The resourceVersion for the provided list is too old.";
// A token with this revision continues at whatever is newest.
const newestRevision = -1;

/** The state a page is taken from. */
interface ListPosition {
  /** Objects as they were at this revision. */
  readonly revision: number;
  /** `metadata.resourceVersion` of the list. */
  readonly listRevision: number;
  readonly startKey: string;
  readonly limit: number;
}

/** The objects of a page and the metadata of its list. */
interface ListPage {
  readonly objects: readonly StoredObject[];
  readonly metadata: ListMetadata;
}

/** GET of a collection. */
export async function listObjects(request: ResourceRequest): Promise<Result> {
  const { core, info } = request;
  const page = await readList(request, info, core.settings.shardedListAndWatch);
  return { type: "list", ...page };
}

/**
 * Reads a page of a collection.
 *
 * @param sharded whether `shardSelector` counts
 * @throws {ApiError} for options that are refused and states that are gone or to come
 */
export async function readList(
  target: ResourceRead,
  info: RequestInfo,
  sharded: boolean,
): Promise<ListPage> {
  const { store } = target;
  const options = parseListOptions(info.query);
  checkListOptions(options);
  const filter = createObjectFilter(target, info, sharded);
  const root = info.namespace === "" ? "" : `${info.namespace}/`;
  const token = readToken(options, root);
  const isReached = await awaitListRevision(target, options, token, info.request.signal);
  // From here on without an `await`: a compaction in between would leave half of a state behind.
  const position =
    token === undefined
      ? findPosition(target, options, filter.root, isReached)
      : continuedPosition(target, options.limit, token, root, isReached);
  if (filter.key !== undefined) {
    // One name is one key, and no page comes after it.
    const stored = store.getAt(filter.key, position.revision);
    const objects = stored !== undefined && filter.matches(stored) ? [stored] : [];
    const metadata = { resourceVersion: target.storage.versions.textOf(position.listRevision) };
    return withShards({ objects, metadata }, filter);
  }
  const all = store.objectsAt(position.revision);
  return withShards(takePage(all, filter, { ...position, root }, target.storage.versions), filter);
}

/** Without this echo, a client takes a list for one of all shards. */
function withShards({ objects, metadata }: ListPage, { shards }: ObjectFilter): ListPage {
  if (shards === undefined) return { objects, metadata };
  return { objects, metadata: { ...metadata, shardInfo: { selector: shards } } };
}

function readToken(
  { continueToken, resourceVersion }: ListOptions,
  root: string,
): ContinueToken | undefined {
  if (continueToken === "") return undefined;
  const token = decodeContinueToken(continueToken, root);
  if (resourceVersion === "" || resourceVersion === "0") return token;
  throw badRequest("specifying resource version is not allowed when using continue");
}

/** Waits for the state that a list asks for, if it asks for one. Returns whether it was reached. */
async function awaitListRevision(
  view: ReadView,
  { resourceVersion }: ListOptions,
  token: ContinueToken | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  if (token !== undefined) {
    // Pages come from the storage, however far the cache is behind.
    return token.revision <= view.storage.revision || awaitRevision(view, token.revision, signal);
  }
  if (revisionComplaint(resourceVersion) !== undefined) return true;
  const wanted = parseRevision(resourceVersion, view.storage);
  if (wanted.kind === "unset" || wanted.kind === "any") return true;
  return awaitRevision(view, wanted.revision, signal);
}

function findPosition(
  view: ReadView,
  options: ListOptions,
  startKey: string,
  isReached: boolean,
): ListPosition {
  const { exchange, storage } = view;
  const { limit } = options;
  const complaint = revisionComplaint(options.resourceVersion);
  if (complaint !== undefined) throw badRequest(`invalid resource version: ${complaint}`);
  const wanted = parseRevision(options.resourceVersion, storage);
  const visible = (): number => visibleRevision(view);
  if (wanted.kind === "unset") {
    const revision = exchange.cacheView?.staleReads === true ? visible() : storage.revision;
    return { revision, listRevision: revision, startKey, limit };
  }
  if (wanted.kind === "any") {
    return { revision: visible(), listRevision: visible(), startKey, limit: 0 };
  }
  const exact =
    options.resourceVersionMatch === "Exact" || (options.resourceVersionMatch === "" && limit > 0);
  if (!isReached) throw tooLargeResourceVersion(wanted.text, storage.versions.textOf(visible()));
  if (!exact) return { revision: visible(), listRevision: visible(), startKey, limit };
  if (isGone(view, wanted.revision)) throw expired(tooOldList);
  return { revision: wanted.revision, listRevision: wanted.revision, startKey, limit };
}

function continuedPosition(
  view: ReadView,
  limit: number,
  { revision, startKey }: ContinueToken,
  root: string,
  isReached: boolean,
): ListPosition {
  if (revision < 0) {
    const newest = view.storage.revision;
    return { revision: newest, listRevision: newest, startKey, limit };
  }
  if (!isReached) {
    const { versions } = view.storage;
    throw tooLargeResourceVersion(
      versions.textOf(revision),
      versions.textOf(visibleRevision(view)),
    );
  }
  if (isGone(view, revision)) {
    throw expired(
      tooOldContinue,
      encodeContinueToken({ revision: newestRevision, startKey }, root),
    );
  }
  return { revision, listRevision: revision, startKey, limit };
}

function isGone({ storage, store }: ReadView, revision: number): boolean {
  return revision < storage.compactRevision || revision < store.historyFloor;
}

function takePage(
  all: readonly StoredObject[],
  filter: ObjectFilter,
  position: ListPosition & { readonly root: string },
  versions: Versions,
): ListPage {
  const { limit, listRevision, root, startKey } = position;
  const end = endOfRoot(all, filter.root);
  const start = lowerBound(all, startKey);
  const stop = limit > 0 && !filter.selective ? Math.min(end, start + limit) : end;
  const objects: StoredObject[] = [];
  let next = start;
  for (; next < stop; next++) {
    const stored = all[next];
    if (stored === undefined || !filter.matches(stored)) continue;
    objects.push(stored);
    if (objects.length === limit) {
      next++;
      break;
    }
  }
  const last = all[next - 1];
  const resourceVersion = versions.textOf(listRevision);
  if (next >= end || last === undefined) return { objects, metadata: { resourceVersion } };
  const token = { revision: listRevision, startKey: keyAfter(last.key) };
  const metadata = { continue: encodeContinueToken(token, root), resourceVersion };
  if (filter.selective) return { objects, metadata };
  return { objects, metadata: { ...metadata, remainingItemCount: end - next } };
}
