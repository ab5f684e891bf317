import { readStatusBody } from "../wire/read-status.ts";
import { bytePieces } from "./text-pieces.ts";

/** Bytes; no Status is longer. */
const maxStatusLength = 64 * 1024;

/**
 * Reads the Status in the body of a response that is protobuf.
 *
 * @returns `undefined` if the body is none, or breaks off
 */
export async function readStatusOf(
  { body }: Response,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown> | undefined> {
  const bytes = new Uint8Array(maxStatusLength);
  let length = 0;
  try {
    for await (const piece of bytePieces(body, signal)) {
      if (length + piece.length > maxStatusLength) return undefined;
      bytes.set(piece, length);
      length += piece.length;
    }
    return readStatusBody(bytes.subarray(0, length));
  } catch {
    // The code says enough; without the body only the explanation is missing.
    return undefined;
  }
}
