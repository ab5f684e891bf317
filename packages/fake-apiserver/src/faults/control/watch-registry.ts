import type { OpenWatches } from "../../control/watches.ts";
import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import type { FrontEndCaches } from "./front-end-caches.ts";
import type { RequestMatch } from "../../control/requests.ts";
import { checkRequestMatch, matchesRequest } from "../inputs/request-match.ts";
import type { ControlledWatch } from "./controlled-watch.ts";
import type { WatchSource } from "./control-hooks.ts";

/** An open watch, its source and its stream. */
export interface RegisteredWatch {
  readonly watch: ControlledWatch;
  readonly source: WatchSource;
  readonly stream: ControlledStream;
  /** The front end it is connected to. */
  readonly frontEnd: FrontEndCaches;
}

/** Keeps the open watches of a server, and puts policies in force on their streams. */
export class WatchRegistry implements OpenWatches {
  readonly #open: Map<string, RegisteredWatch> = new Map();
  // Streams that got the filter or gate of a policy; it stays, and follows the policy.
  readonly #filtered: WeakSet<ControlledStream> = new WeakSet();
  readonly #gated: Set<ControlledStream> = new Set();
  #count = 0;

  list(match?: RequestMatch): readonly ControlledWatch[] {
    const all = Array.from(this.#open.values(), (open) => open.watch);
    if (match === undefined) return all;
    checkRequestMatch(match);
    return all.filter((watch) => matchesRequest(match, watch.request));
  }

  get(id: string): ControlledWatch | undefined {
    return this.#open.get(id)?.watch;
  }

  end(match?: RequestMatch): void {
    for (const watch of this.list(match)) watch.end();
  }

  reset(match?: RequestMatch): void {
    for (const watch of this.list(match)) watch.reset();
  }

  /**
   * Ends all watches of a resource (`pods`, `widgets.example.com`) after what waits for them, as
   * after a change of its definition.
   */
  finish(resource: string): void {
    for (const { source, watch } of [...this.#open.values()]) {
      if (watch.resource === resource) source.finish();
    }
  }

  nextId(): string {
    return `watch-${++this.#count}`;
  }

  add(open: RegisteredWatch, bookmarks: BookmarkPolicy): void {
    this.#open.set(open.watch.id, open);
    this.#applyPolicies(open, bookmarks);
  }

  remove(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    this.#gated.delete(open.stream);
  }

  /** Puts changed policies in force on the open watches. */
  policiesChanged(bookmarks: BookmarkPolicy): void {
    for (const open of this.#open.values()) this.#applyPolicies(open, bookmarks);
    this.wakeGated();
  }

  /** A revision or a cache moved: events that waited for it may go. */
  wakeGated(): void {
    for (const stream of this.#gated) stream.wake();
  }

  #applyPolicies({ watch, stream, frontEnd }: RegisteredWatch, bookmarks: BookmarkPolicy): void {
    if (bookmarks.needsFilter && !this.#filtered.has(stream)) {
      this.#filtered.add(stream);
      stream.addFilter(bookmarks.filter());
    }
    if (frontEnd.isBehind && !this.#gated.has(stream)) {
      this.#gated.add(stream);
      stream.addGate((event) => event.revision > frontEnd.revision(watch.resource));
    }
  }
}
