import { describe, expect, it } from "vitest";
import { orAbort } from "../../src/delivery/or-abort.ts";
import { countedSignal } from "../support/counted-signal.ts";

describe("orAbort", () => {
  it("leaves no listener behind when the promise settles, however often it is called", async () => {
    const { listeners, signal } = countedSignal();
    for (let count = 0; count < 100; count++) {
      const waiting = orAbort(Promise.resolve(), signal);
      expect(listeners()).toBe(1);
      await waiting;
      await Promise.resolve();
      expect(listeners()).toBe(0);
    }
  });

  it("hands on a failure", async () => {
    const { signal } = countedSignal();
    const failure = Promise.reject(new Error("no room"));
    await expect(orAbort(failure, signal)).rejects.toThrow("no room");
  });

  it("resolves on abort, before it and after it", async () => {
    const { controller, signal } = countedSignal();
    const never = new Promise<void>(() => {});
    const waiting = orAbort(never, signal);
    controller.abort();
    await waiting;
    await expect(orAbort(never, signal)).resolves.toBeUndefined();
  });
});
