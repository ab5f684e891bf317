/**
 * Revisions as clients see them. A server counts its revisions from 1, as numbers; their
 * resourceVersions may begin anywhere, also where numbers are no longer exact.
 */
export class Versions {
  readonly #offset: bigint;

  /** @param first resourceVersion of revision 1 */
  constructor(first: bigint) {
    this.#offset = first - 1n;
  }

  /** Returns the resourceVersion of a revision. */
  textOf(revision: number): string {
    return this.#offset === 0n ? String(revision) : String(this.#offset + BigInt(revision));
  }

  /**
   * Returns the revision of a resourceVersion in digits. One from before the first revision is
   * negative, so that it is too old for everything; "0" stays 0.
   */
  revisionOf(text: string): number {
    const revision = Number(text);
    if (this.#offset === 0n || revision === 0) return revision;
    const counted = Number(BigInt(text) - this.#offset);
    return counted > 0 ? counted : counted - 1;
  }
}
