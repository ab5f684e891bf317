import type { BookmarkPolicy } from "./bookmark-policy.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import type { FrontEnd } from "./front-end.ts";
import { checkRequestMatch, matchesRequest, type RequestMatch } from "../inputs/request-match.ts";
import type { WatchControl } from "./watch-control.ts";
import type { WatchSource } from "./watch-source.ts";

/** An open watch and what lies behind it. */
export interface OpenWatch {
  readonly watch: WatchControl;
  readonly source: WatchSource;
  readonly stream: ControlledStream;
  /** The front end it is connected to. */
  readonly frontEnd: FrontEnd;
}

/** The open watches of the server. */
export class WatchRegistry {
  readonly #open: Map<string, OpenWatch> = new Map();
  // Streams that got the filter or gate of a policy; it stays, and follows the policy.
  readonly #filtered: WeakSet<ControlledStream> = new WeakSet();
  readonly #gated: Set<ControlledStream> = new Set();
  #count = 0;

  /** The open watches, oldest first; those that match, if a match is given. */
  list(match?: RequestMatch): readonly WatchControl[] {
    const all = Array.from(this.#open.values(), (open) => open.watch);
    if (match === undefined) return all;
    checkRequestMatch(match);
    return all.filter((watch) => matchesRequest(match, watch.request));
  }

  /** Undefined for a watch that has ended. */
  get(id: string): WatchControl | undefined {
    return this.#open.get(id)?.watch;
  }

  /** Ends the matching watches cleanly. */
  end(match?: RequestMatch): void {
    for (const watch of this.list(match)) watch.end();
  }

  /** Breaks the connections of the matching watches. */
  reset(match?: RequestMatch): void {
    for (const watch of this.list(match)) watch.reset();
  }

  /**
   * Ends all watches of a resource (`pods`, `widgets.example.com`) after what waits for them, as
   * after a change of its definition. @internal
   */
  finish(resource: string): void {
    for (const { source, watch } of [...this.#open.values()]) {
      if (watch.resource === resource) source.finish();
    }
  }

  /** @internal */
  nextId(): string {
    return `watch-${++this.#count}`;
  }

  /** @internal */
  add(open: OpenWatch, bookmarks: BookmarkPolicy): void {
    this.#open.set(open.watch.id, open);
    this.#applyPolicies(open, bookmarks);
  }

  /** @internal */
  remove(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    this.#gated.delete(open.stream);
  }

  /** Puts changed policies in force on the open watches. @internal */
  policiesChanged(bookmarks: BookmarkPolicy): void {
    for (const open of this.#open.values()) this.#applyPolicies(open, bookmarks);
    this.wakeGated();
  }

  /** A revision or a cache moved: events that waited for it may go. @internal */
  wakeGated(): void {
    for (const stream of this.#gated) stream.wake();
  }

  #applyPolicies({ watch, stream, frontEnd }: OpenWatch, bookmarks: BookmarkPolicy): void {
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
