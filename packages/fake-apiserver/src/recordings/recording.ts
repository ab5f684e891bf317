import { loadOnce } from "../base/load-once.ts";
import type { Recording } from "./format.ts";

const loadLines = loadOnce(() => import("./recording-lines.ts"));

/**
 * Reads a recording from its lines of JSON. Lines are parsed when they are needed, so that the
 * memory does not grow with the recording.
 *
 * @throws {@link RecordingError} for a header that is not one of a recording; reading `lines`
 *   throws it for an unusable line, and for a list that lacks some of its objects. A last line that
 *   was cut off is left out, and so is the `END`.
 */
export async function readRecording(
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<Recording> {
  const { readLinesOf } = await loadLines();
  return readLinesOf(texts);
}
