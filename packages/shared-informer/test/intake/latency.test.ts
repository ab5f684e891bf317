import { createConnection, type FetchFunction } from "@listwatch/client";
import { systemClock, type Clock } from "@listwatch/core-fifo";
import { httpListerWatcher } from "@listwatch/reflector";
import { expect, test } from "vitest";
import { SharedInformer } from "../../src/index.ts";

/**
 * A clock that stands still between explicit steps, so that a busy machine causes no extra turn. It
 * counts the turns.
 */
class QuietClock implements Clock {
  turns = 0;
  #nowMs = systemClock.now();

  now(): number {
    return this.#nowMs;
  }

  setTimeout(callback: () => void, delayMs: number): ReturnType<Clock["setTimeout"]> {
    return systemClock.setTimeout(callback, delayMs);
  }

  nextTurn(): Promise<void> {
    this.turns++;
    return systemClock.nextTurn();
  }

  pass(ms: number): void {
    this.#nowMs += ms;
  }
}

interface Pod {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

test("a handler gets an event in the turn in which its bytes arrived, also after a quiet time (LAT-2, LAT-3)", async () => {
  const clock = new QuietClock();
  const events = new TransformStream<Uint8Array, Uint8Array>();
  const fetch: FetchFunction = async ({ url }) =>
    new URL(url).searchParams.has("watch")
      ? new Response(events.readable)
      : Response.json({ kind: "PodList", metadata: { resourceVersion: "1" }, items: [] });
  const informer = new SharedInformer<Pod>({
    clock,
    listerWatcher: httpListerWatcher<Pod>({
      clock,
      connection: createConnection({ server: "http://server", fetch }),
      resource: { group: "", version: "v1", resource: "pods" },
      watchListSupported: false,
    }),
  });
  const told: string[] = [];
  informer.addEventHandler({ onAdd: ({ metadata }) => void told.push(metadata.name) });
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  await informer.synced;
  const writer = events.writable.getWriter();
  const arrive = async (name: string): Promise<void> => {
    const object = { metadata: { name, resourceVersion: "2" } };
    await writer.write(new TextEncoder().encode(`${JSON.stringify({ type: "ADDED", object })}\n`));
    await systemClock.nextTurn();
  };
  await arrive("first");
  const { turns } = clock;
  for (const name of ["second", "third"]) {
    clock.pass(1000);
    await arrive(name);
    expect(told.at(-1)).toBe(name);
  }
  expect(clock.turns).toBe(turns);
  stop.abort();
  await ended;
});
