import type { ListContext, ListOptions } from "@listwatch/client";
import { isExpired, isTooLargeResourceVersion } from "@listwatch/client/base";
import { ListwatchError } from "@listwatch/core-fifo";
import { itemsOf, type ListResult } from "../source/lister-watcher.ts";
import { Pager, type PagedList } from "../source/pager.ts";
import { isTable } from "../services/event-check.ts";
import type { OtherHistoryError } from "../services/errors.ts";
import { Deadline, returnIterator } from "../session/deadline.ts";
import type { RunContext } from "../services/services.ts";
import { beginWatching, relist, waitForAnswer, type Listing, type State } from "./state.ts";
import type { ListTrace } from "../options/status.ts";
import { WatchSession } from "../session/watch-session.ts";

/** client-go logs a trace of longer lists (`list`, tools/cache/reflector.go). */
const slowListMs = 10_000;

/** Lists the collection, hands it to the store, and goes on to watch. */
export async function list<T>(context: RunContext<T>, state: Listing): Promise<State<T>> {
  const { history, metrics, reports, settings, signal } = context;
  const startMs = settings.clock.now();
  let read: ReadList<T>;
  let isAnswered = false;
  try {
    metrics.lists?.inc();
    read = await readList(context, () => (isAnswered = true));
  } catch (error) {
    if (signal.aborted) return state;
    history.noteGap();
    reports.report(error, "list", "relist");
    // An interrupted list may be more than the server can handle, so the delay is longer.
    return isAnswered ? relist(error) : waitForAnswer(error, { kind: "idle" });
  }
  if (signal.aborted) return state;
  const { items, metadata, otherHistory, paginated } = read;
  if (otherHistory !== undefined) {
    if (history.state !== "other") reports.report(otherHistory, "list", "newest");
    history.noteGap();
    if (history.state === "same") {
      history.doubt("other");
      return state;
    }
  }
  history.settle();
  const resourceVersion = metadata?.resourceVersion ?? "";
  const listMs = settings.clock.now() - startMs;
  const about = { resourceVersion, listMs, paginated, streamed: false };
  const failure = await replaceStore(context, items, about);
  if (signal.aborted) return state;
  if (failure !== undefined) {
    reports.report(failure.error, "replace", "relist");
    return relist(failure.error);
  }
  // Only now it is certain that the server refused to stream, and not the resource.
  if (state.isStreamRefused) history.noteStreamRefused();
  return beginWatching(new WatchSession(context));
}

/** Hands a whole list to the store, and says so; returns what the store failed with. */
export async function replaceStore<T>(
  { history, metrics, reports, settings, signal }: RunContext<T>,
  items: readonly T[],
  about: Pick<ListTrace, "listMs" | "paginated" | "resourceVersion" | "streamed">,
): Promise<{ readonly error: unknown } | undefined> {
  const { clock, name, store } = settings;
  const startMs = clock.now();
  try {
    const replacing = store.replace(items, about.resourceVersion, { signal });
    if (replacing !== undefined) await replacing;
  } catch (error) {
    return { error };
  }
  if (signal.aborted) return undefined;
  reports.noteWorking();
  history.completeList(about.resourceVersion);
  if (!about.streamed) {
    metrics.listDuration?.observe(about.listMs / 1000);
    metrics.itemsPerList?.observe(items.length);
  }
  const replaceMs = clock.now() - startMs;
  const slow = about.listMs + replaceMs > slowListMs;
  const trace = { ...about, items: items.length, replaceMs, slow };
  reports.trace({ kind: "list", reflector: name, ...trace });
  return undefined;
}

/** A list that has arrived. */
interface ReadList<T> extends PagedList<T> {
  /** The error that shows that it belongs to another history than the store. */
  readonly otherHistory: OtherHistoryError | undefined;
}

/**
 * Reads the list, and at once the newest one if the server does not have that state.
 *
 * @param onAnswer called when a page begins to arrive
 */
async function readList<T>(context: RunContext<T>, onAnswer: () => void): Promise<ReadList<T>> {
  const { history, reports, settings, shard, signal } = context;
  const { clock, name, watch } = settings;
  const resourceVersion = history.versionToList;
  const what = `Cannot list for ${name}`;
  const { silenceMs } = watch;
  const deadline = new Deadline({ clock, goal: "item", parent: signal, silenceMs, what });
  let isOther = false;
  const onItems = (items: readonly T[]): void => {
    if (items.length > 0) deadline.noteProgress();
    isOther ||= items.some((item) => history.contradicts(item));
  };
  const pager = new Pager<T>({
    list: async (options, page) => {
      const result = await readPage(context, { options, page, deadline, onItems });
      onAnswer();
      return result;
    },
    keep: shard && ((item) => !shard.isForeign(item)),
    pageSize: history.pageSizeFor(resourceVersion),
  });
  const page = (): ListContext<T> => ({ signal: deadline.signal, reuse: history.reuse });
  try {
    const read = await pager.list({ resourceVersion }, page()).catch((error: unknown) => {
      const isTooLarge = isTooLargeResourceVersion(error);
      if (!isTooLarge && !isExpired(error)) throw error;
      history.noteGap();
      reports.report(error, "list", "newest");
      if (isTooLarge) history.noteTooLarge();
      else history.requireNewest();
      return pager.list({ resourceVersion: "" }, page());
    });
    if (resourceVersion === "0" && read.paginated) history.notePages();
    checkIsNoTable(read);
    const version = read.metadata?.resourceVersion ?? "";
    isOther ||= history.isBehind(version);
    return { ...read, otherHistory: isOther ? history.createError(version) : undefined };
  } finally {
    deadline.close();
  }
}

function checkIsNoTable({ apiVersion, kind }: PagedList<unknown>): void {
  if (!isTable(apiVersion, kind)) return;
  throw new ListwatchError(
    "LW_UNSUPPORTED_TABLE",
    `Cannot list: expected a list of objects, got a Table of ${apiVersion ?? "no version"}`,
    { advice: "Check that no header asks for a Table" },
  );
}

/** A page to be read. */
interface PageRequest<T> {
  readonly options: ListOptions;
  readonly page: ListContext<T>;
  readonly deadline: Deadline;
  readonly onItems: (items: readonly T[]) => void;
}

/** One page. Its items must arrive in time; pages without items and other bytes do not count. */
async function readPage<T>(
  { requests, settings }: RunContext<T>,
  { options, page, deadline, onItems }: PageRequest<T>,
): Promise<ListResult<T>> {
  if (options.continue === undefined) {
    await requests.take(deadline.signal);
    deadline.noteProgress();
  }
  const result = await deadline.ask(settings.listerWatcher.list(options, page));
  const items = itemsOf(result);
  if (!(Symbol.asyncIterator in items)) {
    onItems(items);
    return result;
  }
  return {
    // Complete only after the items.
    get apiVersion() {
      return result.apiVersion;
    },
    get kind() {
      return result.kind;
    },
    get metadata() {
      return result.metadata;
    },
    items: watchedBatches(items, deadline, onItems),
  };
}

async function* watchedBatches<T>(
  batches: AsyncIterable<readonly T[]>,
  deadline: Deadline,
  onItems: (items: readonly T[]) => void,
): AsyncGenerator<readonly T[]> {
  const iterator = batches[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await deadline.ask(iterator.next());
      if (done === true) return;
      onItems(value);
      yield value;
    }
  } finally {
    returnIterator(iterator);
  }
}

/**
 * Asks for the resourceVersion of the newest state, by a list of one item. A watch from a version
 * of the future is silent until the future comes, so that a silent watch may be one of a server
 * whose versions went back.
 *
 * @throws what the request failed with
 */
export async function readNewestVersion<T>(
  { metrics, requests, settings }: RunContext<T>,
  parent: AbortSignal,
): Promise<string> {
  const { clock, listerWatcher, name, watch } = settings;
  const { silenceMs } = watch;
  const deadline = new Deadline({ clock, parent, silenceMs, what: `Cannot list for ${name}` });
  const { signal } = deadline;
  try {
    await requests.take(signal);
    metrics.lists?.inc();
    const page = await deadline.ask(
      listerWatcher.list({ resourceVersion: "", limit: 1 }, { signal }),
    );
    const items = itemsOf(page);
    // The version may come behind the items.
    if (Symbol.asyncIterator in items) await deadline.ask(drain(items));
    const version = page.metadata?.resourceVersion;
    return typeof version === "string" ? version : "";
  } finally {
    deadline.close();
  }
}

async function drain(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const batch of batches) void batch;
}
