import type { ObjectIdentity, ReuseFunction } from "@listwatch/client";
import { isBelow, metadataOf, type ObjectMeta } from "@listwatch/core-fifo/base";
import { OtherHistoryError } from "./errors.ts";
import type { Progress } from "./progress.ts";
import type { Settings } from "../options/settings.ts";

/**
 * How the server's history relates to the stored one:
 *
 * - `same`: it continues the one that the store shows
 * - `doubted`: it may be another one; the next list is the newest
 * - `other`: the same, and that has been reported
 */
type HistoryState = "same" | "doubted" | "other";

/**
 * Watches in a row that ended early or without a byte, the last one without, after which the
 * history is checked. One is normal where nothing happens at all; bookmarks come each minute
 * otherwise.
 */
const maxSilences = 2;

/**
 * Shortest outage in which a storage can be restored, in milliseconds. Soon its versions may have
 * overtaken those that were seen.
 */
const restoreMs = 10_000;

type HistorySettings<T> = Pick<Settings<T>, "behaviour" | "held" | "name">;

/**
 * Decides whether the server still has the storage that the store shows, and none that is older;
 * and from which version the next list is requested. Lives as long as the reflector, over all
 * runs.
 */
export class History<T> {
  readonly #settings: Pick<Settings<T>, "held" | "name">;
  /** Whether versions that went back are looked for, and matter. */
  readonly #isChecked: boolean;
  readonly #remembersExpiredOpening: boolean;
  readonly #progress: Pick<Progress, "current">;
  /**
   * Every state since the last list has come over one watch. A storage that was restored while none
   * was open may have reached the same versions again, with other objects behind them.
   */
  #isUnbroken = false;
  #state: HistoryState = "same";
  /** The last resourceVersion is too old or too new for the server: only the newest state will do. */
  #isNewestNeeded = false;
  /** The last resourceVersion of which a watch expired. */
  #expiredAt: string | undefined;

  constructor(settings: HistorySettings<T>, progress: Pick<Progress, "current">) {
    this.#settings = settings;
    this.#isChecked = settings.behaviour.checksHistory;
    this.#remembersExpiredOpening = settings.behaviour.remembersExpiredOpening;
    this.#progress = progress;
  }

  /** `same` until it is doubted. */
  get state(): HistoryState {
    return this.#state;
  }

  get isNewestNeeded(): boolean {
    return this.#isNewestNeeded;
  }

  /** Version of the next list: never back in time, and any if there is nothing to go back from. */
  get versionToList(): string {
    const { resourceVersion } = this.#progress.current;
    // A version that is not a number was the mistake of a response: no server has that state.
    if (this.#isNewestNeeded || !/^\d*$/.test(resourceVersion)) return "";
    return resourceVersion === "" ? "0" : resourceVersion;
  }

  /** A list without a resourceVersion names no state from which a second watch could go on. */
  get canResume(): boolean {
    return isState(this.#progress.current.resourceVersion) || !this.#isChecked;
  }

  /** Whether watches have been silent often enough that the history has to be checked. */
  isCheckDue(silences: number): boolean {
    return this.#isChecked && silences >= maxSilences;
  }

  /** The same for an outage, in milliseconds; `undefined` if there was none. */
  isCheckDueAfter(downMs: number | undefined): boolean {
    return this.#isChecked && downMs !== undefined && downMs >= restoreMs;
  }

  /** The server may have another history: the next list is the newest. */
  doubt(state: "doubted" | "other"): void {
    this.#isNewestNeeded = true;
    this.#state = state;
  }

  /** A list has arrived that can replace the store's. */
  settle(): void {
    this.#isNewestNeeded = false;
    this.#state = "same";
  }

  /** The next list is the newest. */
  requireNewest(): void {
    this.#isNewestNeeded = true;
  }

  /**
   * A version is too large for the server: the next list is the newest. Returns whether that raises
   * a doubt. It is not enough to tell, as a server that lags behind another one says so too.
   */
  noteTooLarge(): boolean {
    this.#isNewestNeeded = true;
    if (this.#isChecked) this.#state = "doubted";
    return this.#isChecked;
  }

  /**
   * The server has no history from here on. A list with a limit shows exactly the state that it
   * names, as long as the storage has it, and not a newer one: when that led to this very state
   * again, the next list must be the newest.
   */
  noteExpired(hasPages: boolean): void {
    const { resourceVersion } = this.#progress.current;
    this.#isNewestNeeded ||= hasPages && this.#expiredAt === resourceVersion;
    this.#expiredAt = resourceVersion;
  }

  /** The same at the opening of a watch, where client-go forgets it. */
  noteExpiredOpening(hasPages: boolean): void {
    if (this.#remembersExpiredOpening) this.noteExpired(hasPages);
  }

  /** The store holds a whole list. */
  noteList(): void {
    this.#isUnbroken = true;
  }

  /** A watch was lost, ended or refused, or a list failed: the storage may be another one. */
  noteGap(): void {
    this.#isUnbroken = false;
  }

  /** No watch is open for this time, in milliseconds. */
  noteDelay(delayMs: number): void {
    if (delayMs >= restoreMs) this.noteGap();
  }

  /**
   * Finds the held object of a list that is in exactly the state of the server's; `undefined` if
   * the list has to parse each object.
   */
  get reuse(): ReuseFunction<T> | undefined {
    const { held } = this.#settings;
    if (held === undefined || !this.#isUnbroken) return undefined;
    return (identity) => {
      const object = held(identity);
      const { resourceVersion, uid } = metadataOf(object) ?? {};
      const isHeld = uid === identity.uid && resourceVersion === identity.resourceVersion;
      return isHeld ? object : undefined;
    };
  }

  /** Whether a version is older than the state of the store. */
  isBehind(resourceVersion: string): boolean {
    return this.#isChecked && isBelow(resourceVersion, this.#progress.current.resourceVersion);
  }

  /** Whether an object cannot follow the one of its name that the store holds. */
  contradicts(object: unknown): boolean {
    const { held } = this.#settings;
    if (held === undefined || !this.#isChecked) return false;
    const { name, namespace = "", resourceVersion = "", uid = "" } = metadataOf(object) ?? {};
    // Before the first list there is nothing to find.
    if (!name || this.#progress.current.resourceVersion === "") return false;
    const before = held({ name, namespace });
    if (before === undefined || before === object) return false;
    return isOfOtherHistory(metadataOf(before) ?? {}, { resourceVersion, uid });
  }

  /** The error for a state that does not continue that of the store. */
  createError(resourceVersion: string): OtherHistoryError {
    const { resourceVersion: seen } = this.#progress.current;
    return new OtherHistoryError(this.#settings.name, seen, resourceVersion);
  }
}

/**
 * Whether a watch can resume from a resourceVersion. One that begins at `""` or `"0"` tells nothing
 * of what was deleted before, so that an event without a version leaves the position where it is.
 */
export function isState(resourceVersion: string): boolean {
  return resourceVersion !== "" && resourceVersion !== "0";
}

/**
 * Whether an object cannot follow the one of the same name that is held: within one history a new
 * object has a higher resourceVersion.
 */
export function isOfOtherHistory(
  held: ObjectMeta,
  { resourceVersion, uid }: Pick<ObjectIdentity, "resourceVersion" | "uid">,
): boolean {
  const isOtherObject = typeof held.uid === "string" && uid !== "" && held.uid !== uid;
  return isOtherObject && isBelow(resourceVersion, held.resourceVersion ?? "");
}
