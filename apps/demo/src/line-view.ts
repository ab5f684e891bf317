import type { FeedEvent } from "./event-feed.ts";
import { printable } from "./plain-text.ts";
import type { Notice, Snapshot } from "./snapshot.ts";

const kindWords: Record<FeedEvent["kind"], string> = {
  add: "ADDED",
  update: "UPDATED",
  delete: "DELETED",
};

/** One event as one line for a log or a pipe. */
export function eventLine(event: FeedEvent): string {
  const time = new Date(event.atMs).toISOString().slice(11, 23);
  return printable(`${time} ${kindWords[event.kind].padEnd(8)}${event.key}  ${event.detail}`);
}

/** What happened to the connection as one line. */
export function noticeLine({ text, atMs }: Notice): string {
  return printable(`${new Date(atMs).toISOString().slice(11, 23)} ------  ${text}`);
}

/** What a run did, printed when it has ended. */
export function summaryLines(snapshot: Snapshot): string[] {
  const { feed, objectsByNamespace, resourceVersion, recoveries } = snapshot;
  const seconds = (snapshot.nowMs - snapshot.startedMs) / 1000;
  const { add, update, delete: deleted } = feed.totals;
  const namespaces = [...objectsByNamespace].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const perNamespace = namespaces.map(([name, count]) => `${name || "(cluster)"} ${count}`);
  return [
    `Summary: ${snapshot.title} at ${snapshot.server}, ${seconds.toFixed(1)} s`,
    `  events     ${feed.total}: ${add} added, ${update} updated, ${deleted} deleted`,
    `  cache      ${snapshot.objects} objects at resourceVersion ${resourceVersion || "–"}`,
    ...(perNamespace.length > 0 ? [`  objects    ${printable(perNamespace.join(", "))}`] : []),
    `  recoveries ${recoveries}`,
  ];
}
