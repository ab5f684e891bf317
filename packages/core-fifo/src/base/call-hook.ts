/**
 * Calls a user's hook during work that must continue. An error of the hook reaches the runtime as
 * an uncaught error, one microtask later.
 */
export function callHook(hook: () => void): void {
  try {
    hook();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
