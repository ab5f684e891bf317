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
export type HistoryState = "same" | "doubted" | "other";

/**
 * Shortest outage in which a storage can be restored, in milliseconds. Soon its versions may have
 * overtaken those that were seen.
 */
export const restoreMs = 10_000;

type HistorySettings<T> = Pick<Settings<T>, "behaviour" | "held" | "name">;

/** Decides whether the server still has the storage that the store shows, and none that is older. */
export class History<T> {
  readonly #settings: HistorySettings<T>;
  readonly #progress: Pick<Progress, "current">;
  /**
   * Every state since the last list has come over one watch. A storage that was restored while none
   * was open may have reached the same versions again, with other objects behind them.
   */
  #isUnbroken = false;

  constructor(settings: HistorySettings<T>, progress: Pick<Progress, "current">) {
    this.#settings = settings;
    this.#progress = progress;
  }

  /** The store holds a whole list. */
  noteList(): void {
    this.#isUnbroken = true;
  }

  /** A watch was lost, ended or refused, or a list failed: the storage may be another one. */
  noteGap(): void {
    this.#isUnbroken = false;
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
    const { checksHistory } = this.#settings.behaviour;
    return checksHistory && isBelow(resourceVersion, this.#progress.current.resourceVersion);
  }

  /** Whether an object cannot follow the one of its name that the store holds. */
  contradicts(object: unknown): boolean {
    const { behaviour, held } = this.#settings;
    if (held === undefined || !behaviour.checksHistory) return false;
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
