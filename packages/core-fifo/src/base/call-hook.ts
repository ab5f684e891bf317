/**
 * Calls a hook of the program in the middle of work that must go on: what the hook throws reaches
 * the runtime as an uncaught error, a microtask later.
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
