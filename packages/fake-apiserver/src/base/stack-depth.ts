/**
 * Whether an error is a stack overflow caused by deep nesting. Runtimes have no class for it, but
 * parsers that catch it keep the message.
 */
export function isStackOverflow({ message }: { readonly message: string }): boolean {
  return /maximum call stack|too much recursion/i.test(message);
}
