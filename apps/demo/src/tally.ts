import type { InformerEvent } from "@listwatch/shared-informer";

/** An event, without its object. */
export interface SeenEvent {
  readonly kind: InformerEvent<unknown>["type"];
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  readonly resourceVersion: string;
}

/**
 * What a handler was called with: how many events, and a digest of them in their order. Two
 * handlers with one number and one digest saw the same history.
 */
export class Tally {
  #delivered = 0;
  // FNV-1a of 32 bits: the offset basis and prime of http://www.isthe.com/chongo/tech/comp/fnv.
  #digest = 0x811c9dc5;

  get delivered(): number {
    return this.#delivered;
  }

  note({ kind, key, resourceVersion }: SeenEvent): void {
    this.#delivered++;
    const text = `${kind} ${key} ${resourceVersion}\n`;
    for (let index = 0; index < text.length; index++) {
      this.#digest = Math.imul(this.#digest ^ text.charCodeAt(index), 0x01000193) >>> 0;
    }
  }

  /** Whether the other one saw the same events in the same order. */
  equals(other: Tally): boolean {
    return this.#delivered === other.#delivered && this.#digest === other.#digest;
  }
}
