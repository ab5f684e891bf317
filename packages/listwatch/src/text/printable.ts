/** Removes control characters, which text from a server may contain, before it reaches the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}+/gu, " ");
}
