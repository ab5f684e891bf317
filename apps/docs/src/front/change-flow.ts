import { compareResourceVersions, type InformerEvent, type Listener } from "listwatch";
import type { Pod } from "listwatch/resources/core/v1";
import type { ChangeKind } from "./simulated-cluster.ts";

/** Steps of a change through the informer; `merged` into a later change of the same object. */
export type Step = "written" | "queued" | "cached" | "merged";

/** A step of a change that the picture draws. */
export interface Move {
  readonly id: number;
  readonly kind: ChangeKind;
  readonly step: Step;
}

interface DrawnChange {
  readonly id: number;
  readonly kind: ChangeKind;
  readonly version: string;
}

/** Changes that are drawn at the same time at most; further ones are only counted. */
const mostDrawn = 240;

/**
 * Follows changes from the answer of the server to the cache. It is a listener of the informer, so
 * that it is called in the turn in which the cache changes.
 */
export class ChangeFlow implements Listener<Pod> {
  readonly name = "picture";
  readonly backlog = 0;
  /** Changes for which each drawn one stands. */
  drawnOf = 1;
  /** Changes of the cache since the start. */
  cached = 0;
  #lastId = 0;
  #newestQueued = "1";
  #newestCached = "1";
  #moves: Move[] = [];
  /** Changes that have not reached the cache, by the UID of their object. */
  readonly #drawn = new Map<string, DrawnChange[]>();

  /** Called with a write, which stands for a number of writes. */
  written(kind: ChangeKind, pod: Pod, writes: number): void {
    if (writes !== this.drawnOf || this.#drawn.size > mostDrawn) return;
    const { resourceVersion: version, uid } = pod.metadata;
    const change = { id: ++this.#lastId, kind, version };
    this.#move(change, "written");
    // An event can be earlier than the answer. A deletion is reported before its event.
    const isAtMost = (newest: string): boolean =>
      kind !== "delete" && compareResourceVersions(version, newest) <= 0;
    if (isAtMost(this.#newestQueued)) this.#move(change, "queued");
    if (isAtMost(this.#newestCached)) this.#move(change, "cached");
    else this.#drawn.set(uid, [...(this.#drawn.get(uid) ?? []), change]);
  }

  /** Called with each object that the informer receives, before it is in the queue. */
  queued(pod: Pod): void {
    const { resourceVersion: version, uid } = pod.metadata;
    this.#newestQueued = newerOf(version, this.#newestQueued);
    const change = this.#drawn.get(uid)?.find((drawn) => drawn.version === version);
    if (change !== undefined) this.#move(change, "queued");
  }

  push(event: InformerEvent<Pod>): void {
    this.cached++;
    const { resourceVersion = "1", uid = "" } = event.object?.metadata ?? {};
    this.#newestCached = newerOf(resourceVersion, this.#newestCached);
    const isDeleted = event.type === "delete";
    const waiting = (this.#drawn.get(uid) ?? []).filter((change) => {
      const isArrived = isDeleted
        ? change.kind === "delete"
        : change.kind !== "delete" && change.version === resourceVersion;
      if (isArrived) this.#move(change, "cached");
      else if (isDeleted || isOlder(change, resourceVersion)) this.#move(change, "merged");
      else return true;
      return false;
    });
    if (waiting.length > 0) this.#drawn.set(uid, waiting);
    else this.#drawn.delete(uid);
  }

  sourceSynced(): void {}
  start(): void {}
  async stop(): Promise<void> {}

  /** Returns the steps since the last call. */
  takeMoves(): readonly Move[] {
    const moves = this.#moves;
    this.#moves = [];
    return moves;
  }

  #move({ id, kind }: DrawnChange, step: Step): void {
    this.#moves.push({ id, kind, step });
  }
}

function newerOf(version: string, other: string): string {
  return compareResourceVersions(version, other) > 0 ? version : other;
}

function isOlder({ kind, version }: DrawnChange, resourceVersion: string): boolean {
  return kind !== "delete" && compareResourceVersions(version, resourceVersion) < 0;
}
