import { SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
import { Connections } from "../src/connections.ts";

const url = "http://127.0.0.1/";

/** A body that stays open after its first piece. */
function openBody(onCancel: (reason: unknown) => void = () => {}): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
    cancel: onCancel,
  });
}

test("a broken connection ends its body though the fetch under it has lost the signal", async () => {
  let cancelled: unknown;
  const body = openBody((reason) => {
    cancelled = reason;
  });
  const fetch = () => Promise.resolve(new Response(body));
  const connections = new Connections(fetch, new SimulatedClock());
  const response = await connections.fetch(new Request(url));
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
  const next = reader?.read();
  expect(connections.drop()).toBe(1);
  await expect(next).rejects.toThrow("connection reset (ECONNRESET) by the demo");
  expect(cancelled).toBeInstanceOf(TypeError);
});

test("only open connections count as broken: not those that have ended or were cancelled", async () => {
  const bodies = [new Response("whole").body, openBody(), null, openBody()];
  const fetch = () => Promise.resolve(new Response(bodies.shift() ?? null));
  const clock = new SimulatedClock();
  const connections = new Connections(fetch, clock);
  expect(await (await connections.fetch(new Request(url))).text()).toBe("whole");
  await (await connections.fetch(new Request(url))).body?.cancel();
  expect((await connections.fetch(new Request(url))).body).toBe(null);
  await connections.fetch(new Request(url));
  await clock.settle();
  expect(connections.drop()).toBe(1);
  expect(connections.drop()).toBe(0);
});

test("latency delays the request, and each piece from its own arrival", async () => {
  const clock = new SimulatedClock();
  const body = new TransformStream<Uint8Array, Uint8Array>();
  const writer = body.writable.getWriter();
  const sentAt: number[] = [];
  const fetch = () => {
    sentAt.push(clock.now());
    return Promise.resolve(new Response(body.readable));
  };
  const connections = new Connections(fetch, clock);
  connections.latencyMs = 800;
  const answered = connections.fetch(new Request(url));
  const arrivals: (readonly [text: string, atMs: number])[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of (await answered).body ?? []) {
      arrivals.push([new TextDecoder().decode(piece), clock.now()]);
    }
  };
  const reading = read();
  await clock.advance(1000);
  await writer.write(new TextEncoder().encode("a"));
  await clock.advance(100);
  await writer.write(new TextEncoder().encode("b"));
  await clock.advance(2000);
  await writer.close();
  await reading;
  expect(sentAt).toEqual([800]);
  expect(arrivals).toEqual([
    ["a", 1800],
    ["b", 1900],
  ]);
});

test("a request that fails is not an open connection", async () => {
  const fetch = () => Promise.reject(new TypeError("fetch failed"));
  const connections = new Connections(fetch, new SimulatedClock());
  await expect(connections.fetch(new Request(url))).rejects.toThrow("fetch failed");
  expect(connections.hasAnswered).toBe(false);
  expect(connections.drop()).toBe(0);
});
