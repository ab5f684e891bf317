import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createConnection } from "@listwatch/client";
import { nodeTransport } from "@listwatch/client/node";
import { expect, test } from "vitest";
import { collectGarbage } from "../support/collect-garbage.ts";

// On Node, a request's signal no longer aborts once the request is garbage-collected.
const isNode = !("Deno" in globalThis || "Bun" in globalThis);

test.runIf(isNode)("a body follows its signal after its request was collected", async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((_, answer) => {
    answer.writeHead(200).write("beginning");
    answer.on("close", closed.resolve);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await using transport = nodeTransport({ proxy: null });
  const { abort, ended } = await begin(`http://127.0.0.1:${port}`, transport);
  await collectGarbage();
  abort();
  expect(await ended).toBe("aborted");
  await closed.promise;
  server.close();
});

async function begin(url: string, fetch: (request: Request) => Promise<Response>) {
  const controller = new AbortController();
  const response = await fetch(new Request(url, { signal: controller.signal }));
  const ended = response.text().catch((error: unknown) => error);
  return { ended, abort: (): void => controller.abort("aborted") };
}

test.runIf(isNode).each(["GET", "POST"])(
  "a %s that is sent again with renewed credentials follows its signal after garbage collection",
  async (method) => {
    const controller = new AbortController();
    let second: Request | undefined;
    const { fetch, server } = createConnection({
      server: "http://server",
      headers: ({ refresh }) => ({ authorization: refresh ? "new" : "old" }),
      fetch: async (request) => {
        if (request.headers.get("authorization") === "old") return new Response("", refused);
        second = request;
        return new Response();
      },
    });
    await fetch(new Request(server, { method, signal: controller.signal }));
    await collectGarbage();
    controller.abort();
    expect(second?.signal.aborted).toBe(true);
  },
);

const refused = { status: 401 };
