import type { ObjectIdentity, ReuseFunction } from "@listwatch/client";
import {
  isBelow,
  metadataOf,
  ResourceVersionWaiters,
  type ObjectMeta,
} from "@listwatch/core-fifo/base";
import type { ReflectorMetrics } from "../options/options.ts";
import type { ReflectorStatus } from "../options/status.ts";
import { OtherHistoryError } from "./errors.ts";
import type { Settings } from "../options/settings.ts";

/** How far the store has been brought, and when. */
type Progress = Pick<
  ReflectorStatus,
  "lastBookmarkMs" | "lastEventMs" | "lastListMs" | "lastWatchMs" | "resourceVersion" | "synced"
>;

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

/** client-go `defaultPageSize`, tools/pager/pager.go. */
const defaultPageSize = 500;

type HistorySettings<T> = Pick<Settings<T>, "behaviour" | "clock" | "held" | "list" | "name">;

/**
 * Records how far the store has been brought. Decides whether the server still has the storage that
 * the store shows, and none that is older; and from which version, and in which form, the next list
 * is requested. Lives as long as the reflector, over all runs.
 */
export class History<T> {
  readonly waiters: ResourceVersionWaiters = new ResourceVersionWaiters();
  readonly #settings: HistorySettings<T>;
  readonly #metrics: ReflectorMetrics;
  /** Whether versions that went back are looked for, and matter. */
  readonly #isChecked: boolean;
  readonly #remembersExpiredOpening: boolean;
  // One object for its whole life: it is written for every event.
  readonly #current: { -readonly [Name in keyof Progress]: Progress[Name] } = {
    lastBookmarkMs: undefined,
    lastEventMs: undefined,
    lastListMs: undefined,
    lastWatchMs: undefined,
    resourceVersion: "",
    synced: false,
  };
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
  /** A list from the server's cache arrived in pages: the server has no cache. */
  #paginates = false;
  /** Until then no streamed list is requested, because the server has refused one. */
  #refusedUntilMs = -Infinity;

  constructor(settings: HistorySettings<T>, metrics: ReflectorMetrics) {
    this.#settings = settings;
    this.#metrics = metrics;
    this.#isChecked = settings.behaviour.checksHistory;
    this.#remembersExpiredOpening = settings.behaviour.remembersExpiredOpening;
  }

  /** As of now; to be read at once. */
  get current(): Progress {
    return this.#current;
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
    const { resourceVersion } = this.#current;
    // A version that is not a number was the mistake of a response: no server has that state.
    if (this.#isNewestNeeded || !/^\d*$/.test(resourceVersion)) return "";
    return resourceVersion === "" ? "0" : resourceVersion;
  }

  /**
   * Whether the next list is to be streamed: it is wanted, and the server has not refused it
   * lately. A stream may come from a server that lags behind, and tells nothing of the history.
   */
  get isStreamable(): boolean {
    const { clock, list } = this.#settings;
    return list.watchList && clock.now() >= this.#refusedUntilMs && this.#state === "same";
  }

  /**
   * Page size of a list from this version. A limit makes the server read around its watch cache,
   * except for "0", where it is ignored (client-go `list`, tools/cache/reflector.go).
   */
  pageSizeFor(resourceVersion: string): number {
    const { pageSize } = this.#settings.list;
    if (pageSize !== 0) return pageSize;
    const isFree = this.#paginates || resourceVersion === "" || resourceVersion === "0";
    return isFree ? defaultPageSize : 0;
  }

  notePages(): void {
    this.#paginates = true;
  }

  noteStreamRefused(): void {
    const { clock, list } = this.#settings;
    this.#refusedUntilMs = clock.now() + list.watchListRetryMs;
  }

  /** A list without a resourceVersion names no state from which a second watch could go on. */
  get canResume(): boolean {
    return isState(this.#current.resourceVersion) || !this.#isChecked;
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
  noteExpired(): void {
    const { resourceVersion } = this.#current;
    const hasPages = this.#settings.list.pageSize > 0 || this.#paginates;
    this.#isNewestNeeded ||= hasPages && this.#expiredAt === resourceVersion;
    this.#expiredAt = resourceVersion;
  }

  /** The same at the opening of a watch, where client-go forgets it. */
  noteExpiredOpening(): void {
    if (this.#remembersExpiredOpening) this.noteExpired();
  }

  /** The store holds a whole list of this resourceVersion. */
  completeList(resourceVersion: string): void {
    this.#isUnbroken = true;
    this.#current.synced = true;
    this.#current.lastListMs = this.#settings.clock.now();
    this.reach(resourceVersion);
  }

  /** The store shows the state of this resourceVersion. */
  reach(resourceVersion: string): void {
    this.#current.resourceVersion = resourceVersion;
    const { lastResourceVersion } = this.#metrics;
    if (lastResourceVersion !== undefined) {
      const number = Number(resourceVersion);
      // A gauge of NaN would spoil the sums over it.
      if (!Number.isNaN(number)) lastResourceVersion.set(number);
    }
    this.waiters.reach(resourceVersion);
  }

  noteEvents(): void {
    this.#current.lastEventMs = this.#settings.clock.now();
  }

  /** The server has accepted a watch, or ended one in time. */
  noteWatch(): void {
    this.#current.lastWatchMs = this.#settings.clock.now();
  }

  noteBookmark(): void {
    this.#current.lastBookmarkMs = this.#settings.clock.now();
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
    return this.#isChecked && isBelow(resourceVersion, this.#current.resourceVersion);
  }

  /** Whether an object cannot follow the one of its name that the store holds. */
  contradicts(object: unknown): boolean {
    const { held } = this.#settings;
    if (held === undefined || !this.#isChecked) return false;
    const { name, namespace = "", resourceVersion = "", uid = "" } = metadataOf(object) ?? {};
    // Before the first list there is nothing to find.
    if (!name || this.#current.resourceVersion === "") return false;
    const before = held({ name, namespace });
    if (before === undefined || before === object) return false;
    return isOfOtherHistory(metadataOf(before) ?? {}, { resourceVersion, uid });
  }

  /** The error for a state that does not continue that of the store. */
  createError(resourceVersion: string): OtherHistoryError {
    const { resourceVersion: seen } = this.#current;
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
