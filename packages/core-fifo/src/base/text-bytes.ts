/** Encodings by their byte order marks, as in Go's reader of YAML. */
const encodings: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Decodes the bytes of a text file: UTF-16 if it starts with that byte order mark, as files that
 * PowerShell writes, otherwise UTF-8. The mark is not part of the result.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = encodings.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  return new TextDecoder(marked?.[0]).decode(bytes);
}
