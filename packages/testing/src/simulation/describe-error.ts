/** Names an error with its message, on one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name}: ${error.message}`.replaceAll("\n", " ");
}
