import { demand, demandInteger } from "../inputs/control-input-error.ts";
import type { EventFilter } from "../stream/event-stage.ts";

/**
 * The bookmarks that watches get. A real server guarantees only the one that ends the initial
 * events.
 */
export interface BookmarkSettings {
  /** Milliseconds between periodic bookmarks. @default the server's `bookmarkIntervalMs` */
  readonly everyMs?: number | undefined;
  /** No periodic bookmarks. @default false */
  readonly suppress?: boolean | undefined;
  /** Number of events after which a bookmark follows, each time. @default none */
  readonly afterEvents?: number | undefined;
  /** `never` leaves out the bookmark that ends the initial events. @default "sent" */
  readonly initialEnd?: "sent" | "never" | undefined;
}

/** The bookmark settings in force. */
export class BookmarkPolicy {
  #settings: BookmarkSettings = {};
  readonly #changed: () => void;

  /** @internal */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get settings(): BookmarkSettings {
    return this.#settings;
  }

  /**
   * Replaces the settings; `everyMs` concerns watches opened from now on, the rest also those that
   * are open.
   */
  set(settings: BookmarkSettings): void {
    const { everyMs = 1, afterEvents = 1 } = settings;
    demand(Number.isFinite(everyMs) && everyMs > 0, "everyMs", "milliseconds above 0", everyMs);
    demandInteger(afterEvents, 1, "afterEvents");
    this.#settings = settings;
    this.#changed();
  }

  /** True while the stream of a watch has to be looked into. @internal */
  get needsFilter(): boolean {
    const { suppress, afterEvents, initialEnd } = this.#settings;
    return suppress === true || afterEvents !== undefined || initialEnd === "never";
  }

  /** The filter of one watch; follows later changes. @internal */
  filter(): EventFilter {
    let events = 0;
    return (event) => {
      const { suppress = false, afterEvents, initialEnd } = this.#settings;
      if (event.type === "BOOKMARK") {
        const dropped = event.isInitialEnd ? initialEnd === "never" : suppress;
        return dropped ? [] : [event];
      }
      events++;
      if (afterEvents === undefined || event.type === "ERROR" || events % afterEvents !== 0) {
        return [event];
      }
      return [event, event.createBookmark()];
    };
  }
}
