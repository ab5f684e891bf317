/**
 * Resolves when the signal is aborted. For signals that end with what waits for them: it never
 * stops listening.
 */
export function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
