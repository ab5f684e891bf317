import { resourceVersionOf, type KubernetesObject } from "@listwatch/core-fifo";
import { UnexpectedObjectError, VeryShortWatchError } from "../errors.ts";
import { type WatchEvent, isNetworkError, isExpired, isTooManyRequests } from "@listwatch/client";
import { ErrorBudget } from "./error-budget.ts";
import { LinkedController } from "../internal/linked-controller.ts";
import type { PhaseEnd } from "./phase-end.ts";
import { workingWatchMs, type ReflectorCore } from "./reflector-core.ts";
import { ResyncTimer } from "./resync-timer.ts";
import { WatchConnection } from "./watch-connection.ts";
import { errorOfEvent, isBrokenStream, isServerFailure, isWorthWaiting } from "./watch-errors.ts";

/** How a connection ended: the server closed it; something failed; the store refused an event. */
type ConnectionEnd =
  | { readonly kind: "closed" }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "refusedByStore"; readonly error: unknown };

/** What follows: the same request again, at once or after a delay; or the phase is over. */
type Next =
  | { readonly kind: "reopen" }
  | { readonly kind: "wait"; readonly error: unknown }
  | PhaseEnd;

const failed = (error: unknown): PhaseEnd => ({ kind: "failed", error });

/**
 * Initial objects come as ADDED; what a type of a later version of the API means is not known
 * (REF-31).
 */
const tellsOrder = (type: string): boolean =>
  type === "MODIFIED" || type === "DELETED" || type === "BOOKMARK";

/** Follows the changes from the last resourceVersion on, over as many connections as it takes. */
export class WatchPhase<T extends KubernetesObject> {
  readonly #core: ReflectorCore<T>;
  readonly #budget: ErrorBudget;
  /** The connection was opened at no certain state, and only initial objects came so far (REF-31). */
  #unordered = false;

  constructor(core: ReflectorCore<T>) {
    this.#core = core;
    this.#budget = new ErrorBudget(core.maxInternalErrorRetryMs, core.clock);
  }

  /** Ends with `failed` when a new list is needed. */
  async run(signal: AbortSignal, handedOver?: WatchConnection<T>): Promise<PhaseEnd> {
    const core = this.#core;
    const controller = new LinkedController(signal);
    let resyncFailure: PhaseEnd | undefined;
    const resync = new ResyncTimer(core, (error) => {
      core.report(error, "resync", "relist");
      resyncFailure = failed(error);
      controller.abort(error);
    });
    const endHandedOver = (): void => handedOver?.abort(controller.signal.reason);
    controller.signal.addEventListener("abort", endHandedOver, { once: true });
    try {
      const end = await this.#follow(controller.signal, handedOver);
      return signal.aborted ? { kind: "stopped" } : (resyncFailure ?? end);
    } finally {
      resync.stop();
      controller.release();
    }
  }

  async #follow(signal: AbortSignal, handedOver?: WatchConnection<T>): Promise<PhaseEnd> {
    const core = this.#core;
    let connection = handedOver;
    while (!signal.aborted) {
      core.phase = "watching";
      const next = await this.#once(signal, connection);
      connection = undefined;
      if (signal.aborted) break;
      if (next.kind === "wait") await core.pause(core.nextDelayMs(next.error), signal);
      else if (next.kind !== "reopen") return next;
    }
    connection?.close();
    return { kind: "stopped" };
  }

  /** One connection from its request to its end. */
  async #once(signal: AbortSignal, handedOver?: WatchConnection<T>): Promise<Next> {
    const core = this.#core;
    let connection = handedOver;
    if (connection === undefined) {
      const { resourceVersion } = core;
      this.#unordered = resourceVersion === "" || resourceVersion === "0";
      try {
        connection = await WatchConnection.open(core, { resourceVersion }, signal, core.silenceMs);
      } catch (error) {
        return signal.aborted ? { kind: "stopped" } : this.#notOpened(error);
      }
    }
    let end: ConnectionEnd;
    try {
      end = await this.#read(connection, signal);
    } catch (error) {
      if (signal.aborted) {
        connection.close();
        return { kind: "stopped" };
      }
      end = { kind: "error", error };
    }
    const next = this.#after(end, connection);
    connection.close(end.kind === "closed" ? undefined : end.error);
    return next;
  }

  #notOpened(error: unknown): Next {
    if (isWorthWaiting(error)) {
      this.#core.report(error, "openWatch", "reopen");
      return { kind: "wait", error };
    }
    this.#core.report(error, "openWatch", "relist");
    return failed(error);
  }

  async #read(connection: WatchConnection<T>, signal: AbortSignal): Promise<ConnectionEnd> {
    const core = this.#core;
    for (;;) {
      const room = core.store.waitForCapacity?.(connection.signal);
      if (room !== undefined) await connection.pauseFor(room);
      const batch = await connection.next();
      if (batch === undefined) return { kind: "closed" };
      if (batch.length === 0) continue;
      const before = connection.events;
      for (const event of batch) {
        if (signal.aborted) return { kind: "closed" };
        if (event.type === "ERROR") return { kind: "error", error: errorOfEvent(event.object) };
        const end = this.#apply(event, connection);
        if (end !== undefined) return end;
      }
      if (connection.events > before) {
        core.lastEventMs = core.clock.now();
        core.noteWorking();
      }
    }
  }

  #apply(
    event: Exclude<WatchEvent<T>, { type: "ERROR" }>,
    connection: WatchConnection<T>,
  ): ConnectionEnd | undefined {
    const core = this.#core;
    const wrong = core.guard.check(event.object);
    if (wrong !== undefined) {
      core.report(wrong, "watch", "skip");
      return undefined;
    }
    const resourceVersion = resourceVersionOf(event.object) ?? "";
    try {
      this.#write(event, resourceVersion);
    } catch (error) {
      const relist = core.storeFailure === "relist";
      core.report(error, "store", relist ? "relist" : "skip");
      if (relist) return { kind: "refusedByStore", error };
    }
    connection.events++;
    if (this.#unordered && !tellsOrder(event.type)) return undefined;
    this.#unordered = false;
    core.reached(resourceVersion);
    core.store.updateResourceVersion?.(resourceVersion);
    return undefined;
  }

  #write(event: Exclude<WatchEvent<T>, { type: "ERROR" }>, resourceVersion: string): void {
    const { store } = this.#core;
    switch (event.type) {
      case "ADDED":
        store.add(event.object);
        break;
      case "MODIFIED":
        store.update(event.object);
        break;
      case "DELETED":
        store.delete(event.object);
        break;
      case "BOOKMARK":
        this.#core.lastBookmarkMs = this.#core.clock.now();
        store.bookmark?.(resourceVersion);
        break;
      default:
        this.#unknownType(event);
    }
  }

  /**
   * A type of a later version of the API: the resourceVersion advances, nothing else happens
   * (REF-30).
   */
  #unknownType(event: never): void {
    this.#core.report(
      new UnexpectedObjectError("an event of a known type", event),
      "watch",
      "skip",
    );
  }

  /** Decides by the table of ends (spec: "ERROR events and other ends of a running watch"). */
  #after(end: ConnectionEnd, connection: WatchConnection<T>): Next {
    const core = this.#core;
    if (end.kind === "refusedByStore") return failed(end.error);
    if (end.kind === "closed" || isBrokenStream(end.error)) return this.#closed(end, connection);
    const { error } = end;
    if (isExpired(error)) {
      core.noteExpired();
      core.report(error, "watch", "relist");
      return failed(error);
    }
    if (isTooManyRequests(error)) {
      core.report(error, "watch", "reopen");
      return { kind: "wait", error };
    }
    const again = isServerFailure(error) && this.#budget.allows();
    core.report(error, "watch", again ? "reopen" : "relist");
    if (!again) return failed(error);
    return core.immediateRetries.take() ? { kind: "reopen" } : { kind: "wait", error };
  }

  /** Closed by the server, broken on the way, or given up as silent. */
  #closed(end: ConnectionEnd, connection: WatchConnection<T>): Next {
    const core = this.#core;
    const broken = end.kind === "error" ? end.error : undefined;
    if (connection.isVeryShort) {
      const error = broken ?? new VeryShortWatchError(core.name);
      core.report(error, "watch", "relist");
      return failed(error);
    }
    // Silence is normal where nothing happens at all; if the connection is dead, opening the next one will tell.
    if (broken !== undefined && !isNetworkError(broken, "timeout")) {
      core.report(broken, "watch", "reopen");
    }
    // What worked for a second may be asked for again at once; what did not, only a few times (no request storm).
    const atOnce = connection.ageMs >= workingWatchMs || core.immediateRetries.take();
    return atOnce ? { kind: "reopen" } : { kind: "wait", error: broken };
  }
}
