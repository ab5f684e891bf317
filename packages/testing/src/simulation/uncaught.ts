import { recordOf } from "@listwatch/core-fifo/base";

/** Events of Node's process, which Deno and Bun have as well, and those of pages, by kind. */
const events = {
  process: ["uncaughtException", "unhandledRejection"],
  page: ["error", "unhandledrejection"],
} as const;

type Listener = (...args: readonly unknown[]) => void;

/** Functions of Node's `process`. */
interface Emitter {
  rawListeners(event: string): readonly Listener[];
  on(event: string, listener: Listener): unknown;
  removeAllListeners(event: string): unknown;
}

/**
 * Takes errors that no code of the program catches: those of floating promises and of microtasks.
 * The listeners of the runtime's own process, such as those of a test runner, do not see them.
 *
 * @param onError called with each of them
 * @returns restores the listeners
 */
export function takeUncaught(onError: (error: unknown) => void): () => void {
  const process: unknown = Reflect.get(globalThis, "process");
  return isEmitter(process) ? takeFromProcess(process, onError) : takeFromPage(onError);
}

function isEmitter(value: unknown): value is Emitter {
  return typeof recordOf(value)["removeAllListeners"] === "function";
}

function takeFromProcess(process: Emitter, onError: (error: unknown) => void): () => void {
  const before = events.process.map((event) => [event, [...process.rawListeners(event)]] as const);
  for (const event of events.process) {
    process.removeAllListeners(event);
    process.on(event, (error) => onError(error));
  }
  return () => {
    for (const [event, listeners] of before) {
      process.removeAllListeners(event);
      for (const listener of listeners) process.on(event, listener);
    }
  };
}

function takeFromPage(onError: (error: unknown) => void): () => void {
  const take = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    const { error, reason } = recordOf(event);
    onError(event.type === "error" ? error : reason);
  };
  for (const event of events.page) globalThis.addEventListener(event, take, { capture: true });
  return () => {
    for (const event of events.page) globalThis.removeEventListener(event, take, { capture: true });
  };
}
