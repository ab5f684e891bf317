/**
 * Whether an error says that the stack of the runtime was too small for what is nested. Runtimes
 * have no class for it; parsers that catch it keep the message.
 */
export function isStackOverflow({ message }: { readonly message: string }): boolean {
  return /maximum call stack|too much recursion/i.test(message);
}
