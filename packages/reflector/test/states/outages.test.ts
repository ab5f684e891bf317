import { NetworkError, StatusError } from "@listwatch/client";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { clientGoBehaviour } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster } from "../support/cluster.ts";
import { start, type StartOptions } from "../support/running.ts";

const second = 1000;

/** An error of fetch when a connection cannot be made or breaks. */
function broken(code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

function unauthorized(): Response {
  const status = { kind: "Status", status: "Failure", reason: "Unauthorized", code: 401 };
  return Response.json(status, { status: 401 });
}

/** A reflector that watches a cluster with one object. Its network can be cut. */
async function watching(options: StartOptions = {}) {
  const cluster = new Cluster();
  await cluster.create("a");
  let failure: (() => unknown) | undefined;
  const fetch = async (request: Request): Promise<Response> => {
    const failed = failure?.();
    if (failed instanceof Response) return failed;
    if (failed !== undefined) throw failed;
    return cluster.api.fetch(request);
  };
  const source = cluster.source({}, { fetch });
  const running = await start(cluster.clock, source, options);
  // A watch that ends within a second counts as very short.
  await cluster.clock.advance(2 * second);
  cluster.api.control.recorder.clear();
  return {
    ...running,
    cluster,
    /** Ends the watch and makes every request fail with this. */
    cut: (code: string) => {
      failure = () => (code === "401" ? unauthorized() : broken(code));
      cluster.api.control.watches.end();
    },
    mend: () => {
      failure = undefined;
    },
  };
}

const kindsOf = (requests: readonly string[]): string[] =>
  requests.map((request) => request.split(" ")[0] ?? "");

describe("a watch that cannot be opened", () => {
  test.each(["ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "EPIPE"])(
    "is reopened at its resourceVersion, without a list: %s (REF-27)",
    async (code) => {
      const { cluster, cut, errors, mend, stop, store } = await watching();
      cut(code);
      await cluster.clock.advance(3 * second);
      await cluster.create("b");
      mend();
      await cluster.clock.advance(4 * second);
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.every(({ recovery }) => recovery === "reopen")).toBe(true);
      expect(errors.every(({ error }) => error instanceof NetworkError)).toBe(true);
      expect(kindsOf(cluster.requests())).toEqual(["watch"]);
      expect(store.state()).toEqual(await cluster.state());
      await stop();
    },
  );

  test("falls back to a list after five failures in a row, and reports that", async () => {
    const { cluster, cut, errors, stop, store } = await watching();
    // A proxy that passes lists and resets new watches.
    cluster.api.control.faults.add({
      match: { verb: "watch" },
      action: { type: "reset" },
      times: 5,
    });
    cluster.api.control.watches.end();
    await cluster.create("b");
    await cluster.clock.advance(20 * second);
    expect(errors.map(({ recovery }) => recovery)).toEqual([
      "reopen",
      "reopen",
      "reopen",
      "reopen",
      "relist",
    ]);
    expect(errors.at(-1)).toMatchObject({ operation: "openWatch", attempts: 5 });
    expect(store.calls.filter((call) => call.startsWith("replace"))).toHaveLength(2);
    expect(store.state()).toEqual(await cluster.state());
    // The count restarts with each watch that the server has accepted.
    errors.length = 0;
    await cluster.clock.advance(2 * second);
    cut("ECONNRESET");
    await cluster.clock.advance(4 * second);
    expect(new Set(errors.map(({ recovery }) => recovery))).toEqual(new Set(["reopen"]));
    await stop();
  });

  test("is retried as long as the connection is refused", async () => {
    const { cluster, cut, errors, stop } = await watching();
    cut("ECONNREFUSED");
    await cluster.clock.advance(120 * second);
    expect(errors.length).toBeGreaterThan(30);
    expect(new Set(errors.map(({ recovery }) => recovery))).toEqual(new Set(["reopen"]));
    await stop();
  });

  test("leaves no delay for a resourceVersion that expires when the server is back", async () => {
    const { cluster, cut, errors, mend, reflector, stop } = await watching({
      retry: { unreachableCapMs: Infinity },
    });
    cut("ECONNREFUSED");
    await cluster.clock.advance(60 * second);
    mend();
    await cluster.clock.advance(70 * second);
    errors.length = 0;
    for (const watch of cluster.api.control.watches.list()) watch.sendError({ code: 410 });
    await cluster.clock.settle();
    expect(errors).toMatchObject([{ recovery: "relist" }]);
    await cluster.clock.advance(1.6 * second);
    expect(reflector.status()).toMatchObject({ phase: "watching" });
    await stop();
  });

  test("is followed by a list when the certificate is not trusted: it may be another server", async () => {
    const { cluster, cut, errors, stop } = await watching();
    cut("SELF_SIGNED_CERT_IN_CHAIN");
    await cluster.clock.settle();
    expect(errors).toMatchObject([
      { recovery: "relist", error: { kind: "untrusted-certificate" } },
    ]);
    await stop();
  });

  test.each([500, 503, 504])(
    "is reopened after the time that the server names, without a list: %d (RST-1)",
    async (code) => {
      const { cluster, errors, stop, store } = await watching();
      cluster.api.control.faults.add({
        match: { verb: "watch" },
        action: { type: "status", status: { code, retryAfterSeconds: 7 } },
        times: 2,
      });
      const startMs = cluster.clock.now();
      cluster.api.control.watches.end();
      await cluster.create("b");
      await cluster.clock.advance(30 * second);
      expect(errors).toMatchObject([
        { operation: "openWatch", recovery: "reopen", error: { retryAfterMs: 7000 } },
        { operation: "openWatch", recovery: "reopen" },
      ]);
      expect(kindsOf(cluster.requests())).toEqual(["watch", "watch", "watch"]);
      const [first = 0, next = 0] = cluster.requestTimes("watch");
      expect(next - first).toBeGreaterThanOrEqual(7000);
      expect(cluster.clock.now() - startMs).toBe(30 * second);
      expect(store.state()).toEqual(await cluster.state());
      await stop();
    },
  );

  test("is followed by a list after the fifth refusal, or a refusal without a time (RST-1)", async () => {
    for (const retryAfterSeconds of [1, undefined]) {
      const { cluster, errors, stop, store } = await watching();
      cluster.api.control.faults.add({
        match: { verb: "watch" },
        action: { type: "status", status: { code: 503, retryAfterSeconds } },
        times: 5,
      });
      cluster.api.control.watches.end();
      await cluster.create("b");
      await cluster.clock.advance(120 * second);
      const recoveries = errors.map(({ recovery }) => recovery);
      expect(recoveries.indexOf("relist")).toBe(retryAfterSeconds === undefined ? 0 : 4);
      expect(store.state()).toEqual(await cluster.state());
      await stop();
    }
  });

  test("is followed by a list immediately with client-go's behaviour (REF-27)", async () => {
    const { cluster, cut, errors, stop } = await watching({ behaviour: clientGoBehaviour });
    cut("ECONNRESET");
    await cluster.clock.settle();
    expect(errors).toMatchObject([{ operation: "openWatch", recovery: "relist" }]);
    await stop();
  });
});

/**
 * Returns the longest time, in milliseconds, from the end of an outage until the store has the
 * missed change.
 */
async function measure(
  lengthMs: number,
  options: StartOptions,
  code = "ECONNREFUSED",
): Promise<number> {
  let maxMs = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const random = seededRandom(seed);
    const { cluster, cut, mend, stop, store } = await watching({ random, ...options });
    cut(code);
    // Not whole seconds, so that the end coincides with no timer.
    await cluster.clock.advance(lengthMs + 137 * seed);
    await cluster.create("b");
    mend();
    const endMs = cluster.clock.now();
    let freshMs = Infinity;
    store.fail = () => {
      freshMs = cluster.clock.now();
      return false;
    };
    await cluster.clock.advance(60 * second);
    maxMs = Math.max(maxMs, freshMs - endMs);
    await stop();
  }
  return maxMs;
}

describe("the delays of an outage", () => {
  test.each([10, 60])("end within 3 s after an outage of %i s", async (seconds) => {
    const capped = await measure(seconds * second, {});
    expect(capped).toBeLessThanOrEqual(3 * second);
    const free = await measure(seconds * second, { retry: { unreachableCapMs: Infinity } });
    expect(free).toBeGreaterThan(2 * capped);
  });

  test("are as short while the server refuses the credentials, which may be renewed", async () => {
    expect(await measure(60 * second, {}, "401")).toBeLessThanOrEqual(3 * second);
  });

  test("are limited by `unreachableCapMs`", async () => {
    const maxMs = await measure(10 * second, { retry: { unreachableCapMs: 1000 } });
    expect(maxMs).toBeLessThanOrEqual(1000);
  });

  test.each([
    ["429", { type: "status", status: { code: 429 } }],
    ["503", { type: "status", status: { code: 503 } }],
  ] as const)("remain long when the server answers: %s", async (_, action) => {
    const { cluster, stop } = await watching();
    cluster.api.control.faults.add({ action, times: Infinity });
    cluster.api.control.watches.end();
    await cluster.clock.advance(300 * second);
    const times = [...cluster.requestTimes("list"), ...cluster.requestTimes("watch")];
    const gaps = times.toSorted((a, b) => a - b).map((time, i, all) => time - (all[i - 1] ?? 0));
    expect(Math.max(...gaps)).toBeGreaterThan(30 * second);
    await stop();
  });

  test("do not lengthen the first delay when the server is back but not ready", async () => {
    const { cluster, cut, errors, mend, reflector, stop } = await watching();
    cut("ECONNREFUSED");
    await cluster.clock.advance(120 * second);
    cluster.api.control.faults.add({ action: { type: "status", status: { code: 503 } }, times: 1 });
    mend();
    await cluster.clock.advance(8 * second);
    expect(errors.at(-1)?.error).toBeInstanceOf(StatusError);
    expect(reflector.status().phase).toBe("watching");
    await stop();
  });

  test("remain long when lists break in flight: the server may be overloaded", async () => {
    const { cluster, stop } = await watching({ list: { watchList: false } });
    cluster.api.control.faults.add({
      match: { verb: "list" },
      action: { type: "resetBody" },
      times: Infinity,
    });
    cluster.api.control.watches.list()[0]?.sendError({ code: 410 });
    await cluster.clock.advance(300 * second);
    const times = cluster.requestTimes("list");
    expect(times.length).toBeLessThan(20);
    await stop();
  });
});

test("a cap that is not a number is rejected", async () => {
  await expect(watching({ retry: { unreachableCapMs: -1 } })).rejects.toThrow(
    "Cannot use the option retry.unreachableCapMs: expected a number of 0 or more",
  );
});
