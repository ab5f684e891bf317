import { ResourceVersionError } from "@listwatch/core-fifo";
import { ResourceVersionWaiters } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";

describe("ResourceVersionWaiters", () => {
  test("resolves only the waits whose resourceVersion is reached, at any number of digits", async () => {
    const waiters = new ResourceVersionWaiters();
    const woken: string[] = [];
    const wait = (version: string): Promise<unknown> =>
      waiters.wait(version).then(() => woken.push(version));
    const all = Promise.all([wait("9"), wait("10"), wait("99999999999999999999")]);
    waiters.reach("9");
    await Promise.resolve();
    await wait("8");
    expect(woken.toSorted()).toEqual(["8", "9"]);
    waiters.reach("100000000000000000000");
    await all;
    expect(woken).toHaveLength(4);
  });

  test.each(["", "0", "abc", "-1"])(
    "neither resolves nor rejects a wait at %j",
    async (current) => {
      const waiters = new ResourceVersionWaiters();
      let isThere = false;
      const waiting = waiters.wait("99").then(() => (isThere = true));
      waiters.reach(current);
      await Promise.resolve();
      expect(isThere).toBe(false);
      waiters.reach("100");
      expect(await waiting).toBe(true);
    },
  );

  test.each(["", "0", "abc"])("throws when asked to wait for %j", async (version) => {
    const waiters = new ResourceVersionWaiters();
    waiters.reach(version);
    await expect(waiters.wait(version)).rejects.toThrow(ResourceVersionError);
  });

  test("rejects a wait with the signal's reason, and ignores the signal when there is nothing to wait for", async () => {
    const waiters = new ResourceVersionWaiters();
    waiters.reach("5");
    const stop = new AbortController();
    const waiting = waiters.wait("6", { signal: stop.signal });
    stop.abort(new Error("no patience"));
    await expect(waiting).rejects.toThrow("no patience");
    await expect(waiters.wait("6", { signal: stop.signal })).rejects.toThrow("no patience");
    await expect(waiters.wait("5", { signal: stop.signal })).resolves.toBeUndefined();
  });

  test("rejects pending waits when it is closed", async () => {
    const waiters = new ResourceVersionWaiters();
    const waiting = waiters.wait("6");
    waiters.end(new Error("over"));
    await expect(waiting).rejects.toThrow("over");
  });
});
