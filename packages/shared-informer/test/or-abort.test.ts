import { describe, expect, it } from "vitest";
import { orAbort } from "../src/internal/or-abort.ts";

/** A signal that counts who listens. */
function countedSignal(): {
  readonly controller: AbortController;
  readonly listeners: () => number;
} {
  const controller = new AbortController();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  let listeners = 0;
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    listeners--;
    remove(...args);
  };
  return { controller, listeners: () => listeners };
}

describe("orAbort", () => {
  it("leaves no listener behind when the promise settles, however often it is called", async () => {
    const { controller, listeners } = countedSignal();
    for (let count = 0; count < 100; count++) {
      const waiting = orAbort(Promise.resolve(), controller.signal);
      expect(listeners()).toBe(1);
      await waiting;
      await Promise.resolve();
      expect(listeners()).toBe(0);
    }
  });

  it("hands on a failure", async () => {
    const { controller } = countedSignal();
    const failure = Promise.reject(new Error("no room"));
    await expect(orAbort(failure, controller.signal)).rejects.toThrow("no room");
  });

  it("resolves on abort, before it and after it", async () => {
    const { controller } = countedSignal();
    const never = new Promise<void>(() => {});
    const waiting = orAbort(never, controller.signal);
    controller.abort();
    await waiting;
    await expect(orAbort(never, controller.signal)).resolves.toBeUndefined();
  });
});
