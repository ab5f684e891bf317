import type { WatchEvent } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { resourceVersionOf } from "@listwatch/core-fifo/base";
import type { OtherHistoryError } from "../services/errors.ts";
import { errorOfEvent } from "../services/errors.ts";
import { isState } from "../services/history.ts";
import type { ObjectEvent, Refusal } from "../services/event-check.ts";
import type { ReflectorStore } from "../options/store.ts";
import type { RunContext } from "../services/services.ts";
import type { WatchConnection } from "./watch-connection.ts";

/** How the reading of a connection ended. */
export type End =
  /** The server closed it. */
  | { readonly kind: "closed"; readonly error?: undefined }
  /** Reading failed, or the server sent an ERROR event. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** The store refused an event, or one does not say what has changed; reported already. */
  | { readonly kind: "unusable"; readonly error: unknown }
  /** An event that the history so far cannot have. */
  | { readonly kind: "otherHistory"; readonly error: OtherHistoryError };

/** Brings the events of a connection into the store, until it ends or one cannot be used. */
export async function readEvents<T extends KubernetesObject>(
  context: RunContext<T>,
  connection: WatchConnection<T>,
  signal: AbortSignal,
): Promise<End> {
  const { store } = context.settings;
  const end = await connection.read({
    receive: (batch) => applyBatch(context, connection, batch, signal),
    waitForRoom: () => store.waitForCapacity?.({ signal: connection.deadline.signal }),
  });
  return end ?? { kind: "closed" };
}

function applyBatch<T extends KubernetesObject>(
  context: RunContext<T>,
  connection: WatchConnection<T>,
  batch: readonly WatchEvent<T>[],
  signal: AbortSignal,
): End | undefined {
  connection.noteArrival();
  const before = connection.events;
  let endsForeign = false;
  for (const event of batch) {
    if (signal.aborted) return { kind: "closed" };
    if (event.type === "ERROR") return { kind: "failed", error: errorOfEvent(event.object) };
    const isForeign = event.type !== "BOOKMARK" && context.shard?.isForeign(event.object) === true;
    endsForeign = isForeign;
    const refusal = applyEvent(context, connection, event, isForeign);
    if (refusal !== undefined) return refusal;
  }
  // The store is complete up to the last event, although that was one of another shard.
  if (endsForeign) passVersion(context, context.history.current.resourceVersion);
  if (connection.events > before) {
    context.history.noteEvents();
    context.reports.noteWorking();
    context.reports.noteRecovery();
  }
  return undefined;
}

function applyEvent<T extends KubernetesObject>(
  context: RunContext<T>,
  connection: WatchConnection<T>,
  event: ObjectEvent<T>,
  isForeign: boolean,
): End | undefined {
  const { eventCheck, history, reports, settings } = context;
  const unexpected = eventCheck.check(event);
  if (unexpected !== undefined) return refuse(context, unexpected);
  const resourceVersion = resourceVersionOf(event.object) ?? "";
  const isBehind = history.isBehind(resourceVersion);
  // Below the last state there is no bookmark, and no other object of the name of a held one.
  if (isBehind && (event.type === "BOOKMARK" || history.contradicts(event.object))) {
    return { kind: "otherHistory", error: history.createError(resourceVersion) };
  }
  let isKnown = true;
  try {
    isKnown = isForeign || passOn(event, settings.store);
    if (event.type === "BOOKMARK") noteBookmark(context, resourceVersion);
  } catch (error) {
    const recovery = settings.watch.storeFailure;
    reports.report(error, "store", recovery);
    if (recovery === "relist") return { kind: "unusable", error };
  }
  // A deletion may have the last version of its object: a watch from there would bring it again.
  if (connection.countEvent(event.type) && isState(resourceVersion) && !isBehind) {
    history.reach(resourceVersion);
    settings.store.updateResourceVersion?.(resourceVersion);
  }
  return isKnown ? undefined : refuse(context, eventCheck.refuseType(event));
}

/** If the event does not say what has changed, only a list shows it. */
function refuse<T>({ reports }: RunContext<T>, { error, recovery }: Refusal): End | undefined {
  reports.report(error, "watch", recovery);
  return recovery === "relist" ? { kind: "unusable", error } : undefined;
}

function noteBookmark<T>(context: RunContext<T>, resourceVersion: string): void {
  context.history.noteBookmark();
  passVersion(context, resourceVersion);
}

function passVersion<T>({ settings }: RunContext<T>, resourceVersion: string): void {
  if (isState(resourceVersion)) settings.store.bookmark?.(resourceVersion);
}

/**
 * Passes the object of an event on; bookmarks are not for every target. Returns whether the type of
 * the event is known.
 */
export function passOn<T>(
  event: ObjectEvent<T>,
  target: Pick<ReflectorStore<T>, "add" | "delete" | "update">,
): boolean {
  switch (event.type) {
    case "ADDED":
      target.add(event.object);
      return true;
    case "MODIFIED":
      target.update(event.object);
      return true;
    case "DELETED":
      target.delete(event.object);
      return true;
    case "BOOKMARK":
      return true;
    default:
      return false;
  }
}
