import type { Process } from "./runtime.ts";

/**
 * Exit codes of programs that a second signal ends: 128 + the number of the signal, as shells
 * report them.
 */
const exitCodes: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Name of a signal that stops a manager. */
export type StopSignal = "SIGHUP" | "SIGINT" | "SIGTERM";

/** Hooks of {@link listenToProcess}. */
interface ProcessHooks {
  /** Called with the first signal. */
  readonly onSignal: (name: StopSignal) => void;
  /** Called with an error that the program has not caught. */
  readonly onUncaught: (error: unknown) => void;
}

/**
 * Listens to signals and to errors that the program has not caught. A second signal exits at once.
 *
 * @returns a function that removes the listeners
 */
export function listenToProcess(
  process: Process,
  signals: readonly StopSignal[],
  { onSignal, onUncaught }: ProcessHooks,
): () => void {
  let count = 0;
  const listeners = new Map<string, (value: unknown) => void>();
  for (const name of new Set(signals)) {
    listeners.set(name, () => {
      count += 1;
      if (count > 1) process.exit(exitCodes[name] ?? 1);
      onSignal(name);
    });
  }
  for (const event of ["uncaughtException", "unhandledRejection"]) listeners.set(event, onUncaught);
  for (const [event, listener] of listeners) process.on(event, listener);
  return () => {
    for (const [event, listener] of listeners) process.off(event, listener);
  };
}
