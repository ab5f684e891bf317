import type { BookmarkSettings, Bookmarks } from "../../control/watches.ts";
import { demand, demandInteger } from "../inputs/demand.ts";
import type { EventFilter } from "../stream/event-stage.ts";

/** The bookmark settings in force, and the filters that follow them. */
export class BookmarkPolicy implements Bookmarks {
  #settings: BookmarkSettings = {};
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get settings(): BookmarkSettings {
    return this.#settings;
  }

  set(settings: BookmarkSettings): void {
    const { everyMs = 1, afterEvents = 1 } = settings;
    demand(Number.isFinite(everyMs) && everyMs > 0, "everyMs", "milliseconds above 0", everyMs);
    demandInteger(afterEvents, 1, "afterEvents");
    this.#settings = settings;
    this.#changed();
  }

  /** True while the stream of a watch has to be looked into. */
  get needsFilter(): boolean {
    const { suppress, afterEvents, initialEnd } = this.#settings;
    return suppress === true || afterEvents !== undefined || initialEnd === "never";
  }

  /** The filter of one watch; follows later changes. */
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
