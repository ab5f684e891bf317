import { viewBytes, type ByteView } from "../wire/byte-text.ts";

/** Bytes from a position to an end, which has arrived. */
export interface Piece {
  readonly bytes: ByteView;
  position: number;
  end: number;
}

/**
 * Takes what is whole from the position of a piece, which it moves behind it.
 *
 * @returns how many bytes from the position are needed, if there are fewer; else 0
 */
export type TakeWhole = (piece: Piece) => number;

const firstLength = 4096;

/**
 * Hands out what is whole of bytes that arrive in pieces. What lies within one piece is read in
 * place; what crosses from one to the next is joined, once.
 *
 * ```
 *   joint   ├── beginning of an object ──┤
 *   chunk                                ├── its end ──┼── object ──┼── beginn
 * ```
 */
export class PieceBuffer {
  #joint: ByteView = viewBytes(new Uint8Array(firstLength));
  #held = 0;
  /** Number of bytes from the start of the joint that are worth a look. */
  #wanted = 1;
  /** Number of bytes that were taken. */
  #taken = 0;

  /** Number of bytes that have arrived, and are not taken. */
  get held(): number {
    return this.#held;
  }

  /** Number of bytes that were taken before the present piece. */
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

  /** Takes all that is whole of a piece. */
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

  /** Appends what is wanted of a chunk. @returns the position in it behind that */
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

  /** Makes room, for as much as has arrived and not for what is announced. */
  #reserve(length: number): void {
    if (length <= this.#joint.length) return;
    const grown = viewBytes(new Uint8Array(length * 2));
    grown.set(this.#joint.subarray(0, this.#held));
    this.#joint = grown;
  }
}
