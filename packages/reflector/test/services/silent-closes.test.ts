import { Preset } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { clientGoBehaviour } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { clientGoValues, defaultBehaviour } from "../../src/options/settings.ts";
import { FailureReports } from "../../src/services/reports.ts";
import { Cluster } from "../support/cluster.ts";
import { start, type StartOptions } from "../support/running.ts";
import { mostWithin } from "../support/watchful-store.ts";

const second = 1000;

const makeReports = (maxSilentCloses: number): FailureReports =>
  new FailureReports({
    behaviour: { ...defaultBehaviour, maxSilentCloses },
    clock: new SimulatedClock(),
    listerWatcher: {},
    name: "reflector",
    onStop: () => {},
  });

test("every fifth silent close in a row causes a relist; received data resets the count", () => {
  const reports = makeReports(5);
  const noteMany = (count: number): boolean[] =>
    Array.from({ length: count }, () => reports.noteSilentClose());
  expect(noteMany(4)).toEqual([false, false, false, false]);
  reports.noteSound();
  expect(noteMany(6)).toEqual([false, false, false, false, true, false]);
  expect(reports.areWatchesSilent).toBe(true);
  expect(noteMany(4)).toEqual([false, false, false, true]);
  reports.noteSound();
  expect(reports.areWatchesSilent).toBe(false);
});

test("without a limit, no silent close causes a relist", () => {
  const reports = makeReports(Infinity);
  expect(Array.from({ length: 100 }, () => reports.noteSilentClose())).not.toContain(true);
});

/** A proxy that ends each watch after some time, and forwards nothing of it, or only `passOn`. */
async function behindProxy(
  openMs: number,
  {
    passOn,
    streamed = false,
    ...options
  }: StartOptions & { readonly passOn?: string; readonly streamed?: boolean } = {},
) {
  const cluster = new Cluster();
  await cluster.create("a");
  const { clock } = cluster;
  const proxy = { isBroken: true };
  const source = cluster.source(
    { watchListSupported: streamed },
    {
      fetch: async (request) => {
        const query = new URL(request.url).searchParams;
        const isPassed = !proxy.isBroken || query.has("sendInitialEvents");
        if (isPassed || query.get("watch") !== "true") {
          const response = await cluster.api.fetch(request);
          if (!proxy.isBroken || response.body === null) return response;
          return query.has("sendInitialEvents") ? closing(response.body) : response;
        }
        await cluster.api.fetch(request).then(({ body }) => body?.cancel());
        return closing();
      },
    },
  );
  /** Forwards the initial events of a streamed list, and nothing after them. */
  const closing = (body?: ReadableStream<Uint8Array>): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: async (controller) => {
          clock.setTimeout(() => controller.close(), openMs);
          if (passOn !== undefined) controller.enqueue(new TextEncoder().encode(passOn));
          const reader = body?.getReader();
          for (let chunk = await reader?.read(); chunk?.value !== undefined;) {
            controller.enqueue(chunk.value);
            if (new TextDecoder().decode(chunk.value).includes("initial-events-end")) return;
            chunk = await reader?.read();
          }
        },
      }),
    );
  const running = await start(clock, source, options);
  return { cluster, proxy, ...running };
}

describe("watches that are closed early and without a byte (REF-5)", () => {
  test.each([true, false])(
    "cause a relist after five in a row, and are a problem until one delivers data (streamed: %s)",
    async (streamed) => {
      const { cluster, proxy, errors, reflector, store, stop } = await behindProxy(2 * second, {
        streamed,
      });
      await cluster.create("b");
      await cluster.clock.advance(9 * second);
      expect(errors).toEqual([]);
      await cluster.clock.advance(5 * second);
      expect(errors).toMatchObject([
        {
          operation: "watch",
          recovery: "relist",
          error: { code: "LW_SILENT_WATCHES", message: expect.stringContaining(": 5 in a row ") },
        },
      ]);
      expect(store.state()).toEqual(await cluster.state());
      expect(reflector.status()).toMatchObject({ phase: "watching", attempts: 1 });
      await cluster.clock.advance(1.5 * second);
      expect(reflector.status()).toMatchObject({ phase: "watching", attempts: 1 });

      for (let minute = 0; minute < 10; minute++) {
        await cluster.create(`c${minute}`);
        await cluster.clock.advance(60 * second);
        expect(reflector.status().attempts).toBeGreaterThan(0);
      }
      await cluster.clock.advance(120 * second);
      expect(store.state()).toEqual(await cluster.state());

      proxy.isBroken = false;
      await cluster.create("d");
      await cluster.clock.advance(70 * second);
      await cluster.create("e");
      await cluster.clock.advance(2 * second);
      expect(reflector.status()).toMatchObject({ attempts: 0, failingSinceMs: undefined });
      expect(store.state()).toEqual(await cluster.state());
      const times = [...cluster.firstPageTimes(), ...cluster.requestTimes("watch")];
      expect(mostWithin(times, 10 * second)).toBeLessThanOrEqual(15);
      await stop();
    },
  );

  test("cause no relist when they received a byte", async () => {
    const { cluster, errors, stop } = await behindProxy(2 * second, { passOn: "\n" });
    await cluster.clock.advance(600 * second);
    expect(errors).toEqual([]);
    expect(cluster.firstPageTimes()).toHaveLength(1);
    await stop();
  });

  test("cause no relist when they were open for the requested time", async () => {
    const { cluster, errors, stop } = await behindProxy(600 * second, {
      random: () => 1,
      watch: { silenceMs: Infinity },
      behaviour: new Preset("clientGoBehaviour", { ...clientGoValues, maxSilentCloses: 5 }),
    });
    await cluster.clock.advance(6 * 3_600_000);
    expect(errors).toEqual([]);
    expect(cluster.firstPageTimes()).toHaveLength(1);
    await stop();
  });

  test("cause no relist when the reflector aborted them", async () => {
    const { cluster, errors, stop } = await behindProxy(24 * 3_600_000);
    await cluster.clock.advance(3_600_000);
    expect(errors).toEqual([]);
    expect(cluster.requests().filter((request) => request.startsWith("list 0"))).toHaveLength(1);
    await stop();
  });

  test("are ignored with client-go's behaviour", async () => {
    const { cluster, errors, stop } = await behindProxy(2 * second, {
      behaviour: clientGoBehaviour,
    });
    await cluster.clock.advance(600 * second);
    expect(errors).toEqual([]);
    expect(cluster.firstPageTimes()).toHaveLength(1);
    await stop();
  });
});
