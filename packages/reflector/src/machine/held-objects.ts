import type { ReuseFunction } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { metadataOf, isBelow } from "@listwatch/core-fifo/base";
import { isOfOtherHistory, OtherHistoryError, type HistoryState } from "./history.ts";
import type { RunContext } from "./run-context.ts";
import type { Settings } from "./settings.ts";

/** Compares the objects of one relist with those that the store holds. */
export class HeldObjects<T> {
  /** Finds the object that is held in exactly this state. */
  readonly reuse: ReuseFunction<T> | undefined;
  readonly #context: RunContext<T>;
  readonly #seen: string;
  #hasOther = false;

  /** @param history in another one, equal versions do not mean equal states */
  constructor(context: RunContext<T>, history: HistoryState) {
    this.#context = context;
    this.#seen = context.progress.current.resourceVersion;
    const { held } = context.settings;
    // Before the first list there is nothing to find, and to look for it costs a scan of each item.
    if (held === undefined || this.#seen === "") return;
    this.reuse = (identity) => {
      const object = held(identity);
      const metadata = metadataOf(object);
      if (metadata === undefined) return undefined;
      this.#hasOther ||= isOfOtherHistory(metadata, identity);
      const { resourceVersion, uid } = metadata;
      const isHeld = uid === identity.uid && resourceVersion === identity.resourceVersion;
      return isHeld && history === "same" ? object : undefined;
    };
  }

  /** Returns the error if the list belongs to another history than the store; otherwise `undefined`. */
  otherHistory(resourceVersion: string): OtherHistoryError | undefined {
    const { behaviour, name } = this.#context.settings;
    const isOther = this.#hasOther || isBelow(resourceVersion, this.#seen);
    if (!isOther || !behaviour.checksHistory) return undefined;
    return new OtherHistoryError(name, this.#seen, resourceVersion);
  }
}

/**
 * Whether the object of an event cannot follow the one that is held. Only asked when its version is
 * below the last one.
 */
export function followsNoHeld<T>(
  { held }: Pick<Settings<T>, "held">,
  { metadata }: KubernetesObject,
): boolean {
  const { name = "", namespace = "", resourceVersion = "", uid = "" } = metadata ?? {};
  const before = metadataOf(held?.({ name, namespace }));
  return before !== undefined && isOfOtherHistory(before, { resourceVersion, uid });
}
