import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { configMaps } from "../support/api-client.ts";
import { ManualClock, settle } from "../support/manual-clock.ts";

const url = `http://localhost${configMaps}`;

/** A request whose body never ends. */
function halfBody(signal: AbortSignal, headers: Record<string, string>): Request {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"metadata":')),
  });
  // The Fetch standard requires `duplex` for streams; the types lack it.
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers,
    body,
    duplex: "half",
    signal,
  };
  return new Request(url, init);
}

describe("a client that disconnects", () => {
  test.each([{}, { "content-length": "100" }])(
    "in the middle of its body does not block the server (%o)",
    async (headers) => {
      const server = new FakeApiServer({ clock: new ManualClock(), seed: 1 });
      const stop = new AbortController();
      const answer = server.fetch(halfBody(stop.signal, headers));
      await settle();
      stop.abort(new Error("the client has gone"));
      await expect(answer).rejects.toThrow("the client has gone");
      await server.control.when.idle();
    },
  );

  test.each(["", "/a", "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"])(
    "while it waits for a future version does not block idle: %s",
    async (suffix) => {
      const server = new FakeApiServer({ clock: new ManualClock(), seed: 1 });
      const stop = new AbortController();
      const target = `${url}${suffix}${suffix.includes("?") ? "&" : "?"}resourceVersion=999`;
      const answer = server.fetch(new Request(target, { signal: stop.signal }));
      await settle();
      stop.abort(new Error("the client has gone"));
      await expect(answer).rejects.toThrow("the client has gone");
      await server.control.when.idle();
    },
  );
});
