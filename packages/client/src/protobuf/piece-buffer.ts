import { viewBytes, type ByteView } from "../wire/byte-text.ts";

/** Bytes from a position to an end, all of which have arrived. */
export interface Piece {
  readonly bytes: ByteView;
  position: number;
  end: number;
}

/**
 * Consumes complete parts from the position of a piece, and moves the position after them.
 *
 * @returns number of bytes needed from the position, if there are fewer; otherwise 0
 */
export type TakeWhole = (piece: Piece) => number;

const firstLength = 4096;

/**
 * Delivers the complete parts of bytes that arrive in pieces. A part within one piece is read in
 * place; a part across pieces is joined once.
 *
 * ```
 *   joint   ├── beginning of an object ──┤
 *   chunk                                ├── its end ──┼── object ──┼── beginn
 * ```
 */
export class PieceBuffer {
  #joint: ByteView = viewBytes(new Uint8Array(firstLength));
  #held = 0;
  /** Number of bytes from the start of the joint that make another attempt worthwhile. */
  #wanted = 1;
  /** Number of consumed bytes. */
  #taken = 0;

  /** Number of bytes that have arrived and are not consumed. */
  get held(): number {
    return this.#held;
  }

  /** Number of bytes consumed before the current piece. */
  get taken(): number {
    return this.#taken;
  }

  write(chunk: Uint8Array, take: TakeWhole): void {
    const bytes = viewBytes(chunk);
    let at = 0;
    while (this.#held > 0) {
      at = this.#join(bytes, at);
      if (this.#held < this.#wanted) return;
      this.#takeJoint(take);
    }
    const rest = this.#take({ bytes, position: at, end: bytes.length }, take);
    if (rest.position < rest.end) {
      const { position, end } = rest;
      this.#reserve(end - position);
      this.#joint.set(bytes.subarray(position, end));
      this.#held = end - position;
    }
  }

  /** Consumes all complete parts of a piece. */
  #take(piece: Piece, take: TakeWhole): Piece {
    while (piece.position < piece.end) {
      const start = piece.position;
      const needed = take(piece);
      if (needed > 0) {
        this.#wanted = Math.max(needed, piece.end - start + 1);
        break;
      }
      this.#taken += piece.position - start;
    }
    return piece;
  }

  /** Appends the wanted bytes of a chunk. @returns the position after them */
  #join(bytes: ByteView, at: number): number {
    const count = Math.min(this.#wanted - this.#held, bytes.length - at);
    if (count <= 0) return at;
    this.#reserve(this.#held + count);
    this.#joint.set(bytes.subarray(at, at + count), this.#held);
    this.#held += count;
    return at + count;
  }

  #takeJoint(take: TakeWhole): void {
    const piece = { bytes: this.#joint, position: 0, end: this.#held };
    this.#wanted = 1;
    const { position, end } = this.#take(piece, take);
    this.#joint.copyWithin(0, position, end);
    this.#held = end - position;
  }

  /** Makes room for the bytes that have arrived, not for an announced length. */
  #reserve(length: number): void {
    if (length <= this.#joint.length) return;
    const grown = viewBytes(new Uint8Array(length * 2));
    grown.set(this.#joint.subarray(0, this.#held));
    this.#joint = grown;
  }
}
