import type { ListContext, ListOptions } from "@listwatch/client";
import type { RunContext } from "../services/services.ts";
import { itemsOf, type ListResult } from "../source/lister-watcher.ts";
import { Deadline, returnIterator } from "./deadline.ts";

/** A page to be read. */
export interface PageRequest<T> {
  readonly options: ListOptions;
  readonly page: ListContext<T>;
  readonly deadline: Deadline;
  readonly onItems: (items: readonly T[]) => void;
}

/** One page. Its items must arrive in time; pages without items and other bytes do not count. */
export async function readPage<T>(
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
    const list = await deadline.ask(
      listerWatcher.list({ resourceVersion: "", limit: 1 }, { signal }),
    );
    const items = itemsOf(list);
    // The version may come behind the items.
    if (Symbol.asyncIterator in items) await deadline.ask(drain(items));
    const version = list.metadata?.resourceVersion;
    return typeof version === "string" ? version : "";
  } finally {
    deadline.close();
  }
}

async function drain(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const batch of batches) void batch;
}
