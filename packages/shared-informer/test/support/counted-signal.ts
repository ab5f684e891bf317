export interface CountedSignal {
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  readonly listeners: () => number;
}

/** Makes a signal that counts its listeners. */
export function countedSignal(): CountedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  const known = new Set<unknown>();
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    known.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    known.delete(args[1]);
    remove(...args);
  };
  return { controller, signal, listeners: () => known.size };
}
