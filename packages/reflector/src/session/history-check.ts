import { itemsOf } from "../source/lister-watcher.ts";
import { Deadline } from "./deadline.ts";
import type { RunContext } from "../services/services.ts";

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
