type ErrorHandler = ((error: unknown) => void) | undefined;

/** Calls something of the user's whose failure must stop nothing: what it throws is reported. */
export function attempt(action: () => unknown, onError: ErrorHandler): void {
  try {
    action();
  } catch (error) {
    report(error, onError);
  }
}

/** Reports an error. What the handler itself throws is dropped: it has no other place to go. */
export function report(error: unknown, onError: ErrorHandler): void {
  try {
    onError?.(error);
  } catch {
    // See above.
  }
}
