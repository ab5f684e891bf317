import {
  type ScannedText,
  type Scanner,
  backslash,
  closeBrace,
  colon,
  comma,
  openBrace,
  quote,
} from "./structure.ts";

/** Finds structure byte by byte, with the same result as {@link WasmScanner}. */
export class ScriptScanner implements Scanner {
  scan(text: ScannedText, from: number): void {
    const { bytes, length, limit } = text;
    let { depth, isInString, isEscape } = text;
    for (let position = from; position < length; position++) {
      const byte = bytes[position] ?? 0;
      if (byte === backslash) isEscape = !isEscape;
      else if (isEscape) {
        isEscape = false;
        // Outside of a string this is not JSON. The WebAssembly module behaves the same.
        if (!isInString && byte !== quote) depth = mark(text, byte, position, depth, limit);
      } else if (byte === quote) isInString = !isInString;
      else if (!isInString) depth = mark(text, byte, position, depth, limit);
    }
    text.depth = depth;
    text.isInString = isInString;
    text.isEscape = isEscape;
  }

  find({ bytes, length }: ScannedText, byte: number, from: number): number {
    return bytes.subarray(0, length).indexOf(byte, from);
  }

  forget(): void {
    // Stores nothing of the text.
  }
}

/** Records a byte outside of strings, if it is a structural one. Returns the depth after it. */
function mark(
  text: ScannedText,
  byte: number,
  position: number,
  depth: number,
  limit: number,
): number {
  const bracket = byte | 0x20;
  if (bracket === openBrace) {
    if (depth < limit) text.record(position);
    return depth + 1;
  }
  if (bracket === closeBrace) {
    if (depth <= limit) text.record(position);
    return depth - 1;
  }
  if (depth <= limit && (byte === comma || byte === colon)) text.record(position);
  return depth;
}
