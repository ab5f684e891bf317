import { describe, expect, test } from "vitest";
import { linkAbort, onAborted, untilAborted } from "@listwatch/core-fifo/base";

function createCountedSignal(): {
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  readonly listeners: () => number;
} {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    listeners.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    listeners.delete(args[1]);
    remove(...args);
  };
  return { controller, signal, listeners: () => listeners.size };
}

describe("untilAborted", () => {
  test("settles as the promise does and leaves no listener", async () => {
    const { listeners, signal } = createCountedSignal();
    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
    expect(listeners()).toBe(0);
    await expect(untilAborted(Promise.resolve(2), undefined)).resolves.toBe(2);
  });

  test("rejects with the reason on abort, and handles a rejection that comes later", async () => {
    const { controller, signal } = createCountedSignal();
    const late = Promise.withResolvers<void>();
    const waiting = untilAborted(late.promise, signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    // An unhandled rejection would fail the run.
    late.reject(new Error("late"));
    await new Promise((resolve) => setTimeout(resolve, 0));
  });

  test("rejects at once with an aborted signal, without an unhandled rejection", async () => {
    const signal = AbortSignal.abort(new Error("before"));
    const rejected = Promise.reject(new Error("late"));
    await expect(untilAborted(rejected, signal)).rejects.toThrow("before");
  });
});

describe("linkAbort", () => {
  test("follows the first parent that aborts, with its reason", () => {
    const first = new AbortController();
    const second = new AbortController();
    const link = linkAbort(first.signal, undefined, second.signal);
    expect(link.signal.aborted).toBe(false);
    second.abort("second");
    first.abort("first");
    expect(link.signal.reason).toBe("second");
  });

  test("is already aborted if a parent is", () => {
    const { listeners, signal } = createCountedSignal();
    const link = linkAbort(signal, AbortSignal.abort("before"));
    expect(link.signal.reason).toBe("before");
    expect(listeners()).toBe(0);
  });

  test("aborts without its parents and removes its listeners", () => {
    const { listeners, signal } = createCountedSignal();
    const link = linkAbort(signal);
    expect(listeners()).toBe(1);
    link.abort("alone");
    expect(link.signal.reason).toBe("alone");
    expect(signal.aborted).toBe(false);
    expect(listeners()).toBe(0);
  });

  test("follows no parent after release", () => {
    const { controller, listeners, signal } = createCountedSignal();
    const link = linkAbort(signal);
    link.release();
    link.release();
    expect(listeners()).toBe(0);
    controller.abort();
    expect(link.signal.aborted).toBe(false);
  });
});

describe("onAborted", () => {
  test("calls back once: on abort, or at once if already aborted", () => {
    const calls: string[] = [];
    const controller = new AbortController();
    onAborted(controller.signal, () => calls.push("at the abort"));
    expect(calls).toEqual([]);
    controller.abort();
    onAborted(controller.signal, () => calls.push("at once"));
    expect(calls).toEqual(["at the abort", "at once"]);
  });

  test("does not call back after its listener was removed, nor without a signal", () => {
    const controller = new AbortController();
    const fail = (): never => {
      throw new Error("Expected no call");
    };
    onAborted(controller.signal, fail)();
    onAborted(undefined, fail)();
    expect(() => controller.abort()).not.toThrow();
    expect(controller.signal.aborted).toBe(true);
  });
});
