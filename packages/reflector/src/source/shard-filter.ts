import { ShardSelector } from "@listwatch/client";
import { metadataOf } from "@listwatch/core-fifo/base";

/**
 * Tells the objects of a shard from those that a server without the feature sends in addition. It
 * runs whatever the server does: servers with different feature gates may share one address.
 */
export class ShardFilter {
  readonly #selector: ShardSelector;
  /** Called with the first object of another shard. */
  readonly #onForeign: () => void;
  #hasForeign = false;

  /** @throws {InvalidOptionsError} if the selector cannot be parsed */
  constructor(shardSelector: string, onForeign: () => void) {
    this.#selector = ShardSelector.parse(shardSelector);
    this.#onForeign = onForeign;
  }

  /** Whether an object belongs to another shard. One without a uid is left to other checks. */
  isForeign(object: unknown): boolean {
    if (typeof metadataOf(object)?.uid !== "string" || this.#selector.matches(object)) return false;
    if (!this.#hasForeign) {
      this.#hasForeign = true;
      this.#onForeign();
    }
    return true;
  }
}
