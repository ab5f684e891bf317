import { type DiscoveredResource } from "@listwatch/client";
import { networkErrorFrom } from "@listwatch/client/base";
import { describeError, recordOf, stringOf } from "@listwatch/core-fifo/base";
import { answerLimitMs, type Examined } from "./examined.ts";
import { failed, passed, skipped, type Finding } from "./finding.ts";

/** Time after which the server should end a watch, in seconds. */
const watchSeconds = 5;
/** Later bytes were held back until the end of the watch. */
const soonMs = watchSeconds * 600;
/** Name of no object: its streamed list consists of a bookmark. */
const noObject = "listwatch-doctor";

/** Response to a watch, up to its end or its first timely bytes. */
interface Streamed {
  readonly status: number;
  readonly text: string;
  /** Time from the request to the first byte, in milliseconds; `undefined` if there was none. */
  readonly firstMs: number | undefined;
}

/**
 * Reads a streamed list without objects (KEP-3157) and measures the arrival of its bookmark:
 * whether the server streams lists, and whether something holds back its responses.
 */
export async function judgeStreams(
  examined: Examined,
  resource: DiscoveredResource,
): Promise<readonly Finding[]> {
  const list = await stream(examined, resource, {
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: "true",
    fieldSelector: `metadata.name=${noObject}`,
  });
  if (list instanceof Error) {
    return [skipped("watch-list", "no answer"), judgeSilence(list)];
  }
  const isRefused = list.status === 400 || list.status === 422;
  if (list.status !== 200 && !isRefused) {
    const why = `the watch is refused: ${messageOf(list)}`;
    return [skipped("watch-list", why), skipped("streaming", why)];
  }
  const isStreamed = list.text.includes("k8s.io/initial-events-end");
  const watchList = isStreamed ? passed("watch-list", "lists are streamed") : noWatchList(list);
  if (list.status === 200 && list.firstMs !== undefined) {
    return [watchList, judgeDelay(list.firstMs)];
  }
  // The first attempt was inconclusive. A watch without resourceVersion starts with the objects.
  const watch = await stream(examined, resource, {});
  if (watch instanceof Error) return [watchList, judgeSilence(watch)];
  if (watch.firstMs !== undefined) return [watchList, judgeDelay(watch.firstMs)];
  const why = `there are no ${resource.resource} to see; name a resource that has objects`;
  return [watchList, skipped("streaming", why)];
}

function noWatchList(answer: Streamed): Finding {
  const why = answer.status === 200 ? "they are ignored" : messageOf(answer);
  return failed(
    "watch-list",
    `the server does not stream lists: ${why}`,
    "Informers list in pages instead, which costs the server memory; it has streamed lists from Kubernetes 1.32 on (feature gate WatchList)",
  );
}

function judgeDelay(firstMs: number): Finding {
  const tookMs = Math.round(firstMs);
  if (firstMs <= soonMs) return passed("streaming", `the first event comes after ${tookMs} ms`);
  return failed(
    "streaming",
    `the first event came after ${tookMs} ms, with the end of the watch: a proxy holds events back`,
    "Switch buffering off in the proxy between (nginx: proxy_buffering off; gzip off), or go around it",
  );
}

function judgeSilence(error: Error): Finding {
  return failed(
    "streaming",
    `no byte of a watch of ${watchSeconds} s comes: ${describeError(error)}`,
    "Something between holds the answer back: switch buffering off in the proxy (nginx: proxy_buffering off), or go around it",
  );
}

/** Reads a watch until its first timely bytes, otherwise to its end. */
async function stream(
  examined: Examined,
  resource: DiscoveredResource,
  query: Readonly<Record<string, string>>,
): Promise<Streamed | Error> {
  const { clock, connection } = examined;
  const parameters = { watch: "true", timeoutSeconds: String(watchSeconds), ...query };
  const path = `${pathOf(examined, resource)}?${new URLSearchParams(parameters).toString()}`;
  const startMs = clock.now();
  const stop = new AbortController();
  const limit = clock.setTimeout(
    () => stop.abort(new Error("timeout")),
    watchSeconds * 1000 + answerLimitMs,
  );
  try {
    const request = new Request(`${connection.server}${path}`, { signal: stop.signal });
    const response = await connection.fetch(request);
    let text = "";
    let firstMs: number | undefined;
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      firstMs ??= clock.now() - startMs;
      text += decoder.decode(bytes, { stream: true });
      if (response.status === 200 && firstMs <= soonMs && text.includes("\n")) break;
    }
    return { status: response.status, text, firstMs };
  } catch (error) {
    return networkErrorFrom(error, "Cannot watch");
  } finally {
    limit.cancel();
    stop.abort();
  }
}

function pathOf({ namespace }: Examined, { group, resource, scope, version }: DiscoveredResource) {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  if (scope === "Cluster" || namespace === undefined) return `${root}/${resource}`;
  return `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

/** Returns the message of a Status, otherwise the beginning of the text. */
function messageOf({ status, text }: Streamed): string {
  try {
    return stringOf(recordOf(JSON.parse(text))["message"]) || `${status}`;
  } catch {
    return `${status} ${text.slice(0, 100)}`;
  }
}
