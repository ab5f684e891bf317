export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
