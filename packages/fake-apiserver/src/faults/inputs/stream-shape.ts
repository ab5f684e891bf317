/** How the bytes of a body are cut into chunks; events and JSON stay what they are. */
export interface StreamShape {
  /**
   * Size of each chunk; 1 puts every byte in a chunk of its own, and borders into the middle of
   * characters.
   */
  readonly bytes?: number;
  /** So many event lines go out together, as soon as so many are there or the stream ends. */
  readonly events?: number;
  /** Lines end with CR LF. */
  readonly crlf?: boolean;
  /** Lines are filled with blanks (legal JSON) up to this many bytes. */
  readonly padTo?: number;
}

/** Where a stream is cut. Exactly one of `afterBytes` and `inside` is meant; `afterBytes` wins. */
export interface CutPosition {
  /** So many bytes are still sent. */
  readonly afterBytes?: number;
  /**
   * In the middle of the next line, or behind the first byte of the next character that has
   * several.
   */
  readonly inside?: "line" | "character";
  /** What follows the cut. @default "end" */
  readonly then?: "end" | "reset";
}

const lineFeed = 10;
const carriageReturn = 13;
const blank = 32;

/** The chunk as the chunks to send. The chunk itself when the shape changes nothing. */
export function shapeChunks(chunk: Uint8Array, shape: StreamShape): readonly Uint8Array[] {
  const whole =
    shape.crlf === true || shape.padTo !== undefined ? rewriteLines(chunk, shape) : chunk;
  const size = shape.bytes;
  if (size === undefined) return [whole];
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < whole.length; start += size) {
    pieces.push(whole.subarray(start, start + size));
  }
  return pieces;
}

/** Where in the piece the cut falls; undefined if it lies behind. */
export function cutPosition(piece: Uint8Array, cut: CutPosition): number | undefined {
  if (cut.afterBytes !== undefined) {
    return cut.afterBytes < piece.length ? cut.afterBytes : undefined;
  }
  if (cut.inside === "character") {
    // 0x80: bytes of multi-byte characters in UTF-8 have the top bit set (RFC 3629 §3).
    const index = piece.findIndex((byte) => byte >= 0x80);
    return index < 0 ? undefined : index + 1;
  }
  const end = piece.indexOf(lineFeed);
  return Math.floor((end < 0 ? piece.length : end) / 2);
}

function rewriteLines(chunk: Uint8Array, shape: StreamShape): Uint8Array {
  const parts: number[] = [];
  let lineLength = 0;
  for (const byte of chunk) {
    if (byte !== lineFeed) {
      parts.push(byte);
      lineLength++;
      continue;
    }
    for (; lineLength < (shape.padTo ?? 0); lineLength++) parts.push(blank);
    if (shape.crlf === true) parts.push(carriageReturn);
    parts.push(lineFeed);
    lineLength = 0;
  }
  return Uint8Array.from(parts);
}
