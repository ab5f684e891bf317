import type { ListerWatcher, ListResult, WatchStream } from "@listwatch/reflector";
import type { ConfigMap } from "./cluster.ts";

type Batch = readonly ConfigMap[];

/**
 * A source that now and then repeats a key in a list or a streamed list, with an earlier state
 * first, as servers do that merge others.
 */
export function repeatKeys(
  source: ListerWatcher<ConfigMap>,
  isRepeated: () => boolean,
): ListerWatcher<ConfigMap> {
  const repeat = (objects: Batch): Batch =>
    objects.flatMap((object) => (isRepeated() ? [earlier(object), object] : [object]));
  return {
    watchListSupported: source.watchListSupported,
    list: async (options, context) => {
      const result = await source.list(options, context);
      return Object.defineProperty(result, "items", { value: repeatItems(result.items, repeat) });
    },
    watch: async (options, context) => {
      const stream = await source.watch(options, context);
      return options.sendInitialEvents === true ? repeatAdded(stream, isRepeated) : stream;
    },
  };
}

function repeatItems(
  items: ListResult<ConfigMap>["items"],
  repeat: (objects: Batch) => Batch,
): ListResult<ConfigMap>["items"] {
  return isBatch(items) ? repeat(items) : repeatBatches(items, repeat);
}

async function* repeatBatches(
  batches: AsyncIterable<Batch>,
  repeat: (objects: Batch) => Batch,
): AsyncGenerator<Batch> {
  for await (const batch of batches) yield repeat(batch);
}

/** Repeats keys up to the first event that no initial list contains. */
async function* repeatAdded(
  stream: WatchStream<ConfigMap>,
  isRepeated: () => boolean,
): WatchStream<ConfigMap> {
  let isInitial = true;
  for await (const read of stream) {
    const events = "type" in read ? [read] : read;
    yield events.flatMap((event) => {
      isInitial &&= event.type === "ADDED";
      if (event.type !== "ADDED" || !isInitial || !isRepeated()) return [event];
      return [{ type: "ADDED" as const, object: earlier(event.object) }, event];
    });
  }
}

function isBatch(items: ListResult<ConfigMap>["items"]): items is Batch {
  return Array.isArray(items);
}

function earlier(object: ConfigMap): ConfigMap {
  const { resourceVersion } = object.metadata;
  const metadata = { ...object.metadata, resourceVersion: String(Number(resourceVersion) - 1) };
  return { ...object, metadata, data: { ...object.data, is: "earlier" } };
}
