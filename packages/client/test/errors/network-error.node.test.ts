import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { isNetworkError, Collection, createConnection } from "@listwatch/client";
import { expect, test } from "vitest";

const head =
  "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
const firstChunk = "10\r\n".concat('{"kind":"PodList', "\r\n");

async function failureOn(onConnection: (socket: Socket) => void): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => onConnection(socket));
  });
  const port = await listening(server);
  try {
    return await listingFailure(port);
  } finally {
    server.close();
  }
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function listingFailure(port: number): Promise<unknown> {
  const pods = new Collection({
    connection: createConnection({ server: `http://127.0.0.1:${port}` }),
    resource: { group: "", version: "v1", resource: "pods" },
  });
  try {
    const { items } = await pods.list({}, { signal: new AbortController().signal });
    for await (const _ of items);
    return undefined;
  } catch (error) {
    return error;
  }
}

test("a port without a listener results in connection-refused on every runtime", async () => {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, "close");
  const failure = await listingFailure(port);
  expect(isNetworkError(failure, "connection-refused")).toBe(true);
});

test.each([
  ["reset before the answer", (socket: Socket) => socket.resetAndDestroy()],
  ["closed before the answer", (socket: Socket) => socket.end()],
  [
    "reset within the answer",
    (socket: Socket) => socket.write(head + firstChunk, () => socket.resetAndDestroy()),
  ],
  ["closed within the answer", (socket: Socket) => socket.end(head + firstChunk)],
])("a connection that is %s results in a NetworkError for a broken connection", async (_, act) => {
  const failure = await failureOn(act);
  expect(failure).toMatchObject({ code: "LW_NETWORK" });
  expect(isNetworkError(failure, "connection-refused", "timeout")).toBe(false);
});
