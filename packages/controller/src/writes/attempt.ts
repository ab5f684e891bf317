/** Who is told of what failed. */
type ErrorHandler = ((error: unknown) => void) | undefined;

/**
 * Does something of the user's that must not stop what it is told of: what it throws is handed
 * over.
 */
export function attempt(action: () => unknown, onError: ErrorHandler): void {
  try {
    action();
  } catch (error) {
    report(error, onError);
  }
}

/** Hands an error over. What the handler itself throws is lost: there is nobody left to tell. */
export function report(error: unknown, onError: ErrorHandler): void {
  try {
    onError?.(error);
  } catch {
    // See above.
  }
}
