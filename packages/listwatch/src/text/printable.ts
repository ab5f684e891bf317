/** Text from a server may hold anything; a control character must not reach the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}+/gu, " ");
}
