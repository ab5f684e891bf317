import { FakeApiServer, type FaultAction } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { EventCounter } from "../../src/faults/stream/event-counter.ts";
import { ApiClient, configMaps } from "../support/api-client.ts";

const protobuf = "application/vnd.kubernetes.protobuf";

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

/** Returns the lengths of the frames of a watch; the last one must be complete. */
function frames(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer);
  const lengths: number[] = [];
  for (let at = 0; at < bytes.length; at += 4 + (lengths.at(-1) ?? 0)) {
    lengths.push(view.getUint32(at));
  }
  expect(lengths.reduce((sum, length) => sum + 4 + length, 0)).toBe(bytes.length);
  return lengths;
}

async function serverOf(names: readonly string[]): Promise<FakeApiServer> {
  const server = new FakeApiServer();
  const client = new ApiClient(server);
  for (const name of names) {
    const created = await client.createConfigMap(name, { a: "\n\n\n" });
    expect(created.status).toBe(201);
  }
  return server;
}

/** Returns all bytes of a watch, which a fault or its timeout ends. */
async function watchWith(server: FakeApiServer, action: FaultAction): Promise<Uint8Array> {
  server.control.faults.add({ match: { verb: "watch" }, action });
  const url = `http://localhost${configMaps}?watch=1`;
  const headers = { accept: `${protobuf};stream=watch` };
  return await bytesOf(await server.fetch(new Request(url, { headers })));
}

describe("a fault of a watch in protobuf", () => {
  test.each([1, 2, 3])(
    "acts after %d events, which are counted by their lengths",
    async (events) => {
      const server = await serverOf(["a", "b", "c", "d"]);
      const bytes = await watchWith(server, { type: "end", after: { events } });
      expect(frames(bytes)).toHaveLength(events);
    },
  );

  test("does not pad events, as it does with JSON's lines", async () => {
    const names = ["a", "b", "c"];
    const after = { events: names.length };
    const plain = await watchWith(await serverOf(names), { type: "end", after });
    const server = await serverOf(names);
    server.control.faults.add({
      match: { verb: "watch" },
      action: { type: "split", shape: { bytes: 7, crlf: true, padTo: 4000 } },
    });
    expect(frames(await watchWith(server, { type: "end", after }))).toEqual(frames(plain));
  });
});

test("a fault of a list in protobuf changes only the bytes that it names", async () => {
  const server = await serverOf(["a", "b"]);
  const list = async (): Promise<Uint8Array> =>
    await bytesOf(
      await server.fetch(
        new Request(`http://localhost${configMaps}`, { headers: { accept: protobuf } }),
      ),
    );
  const before = await list();
  server.control.faults.add({
    action: { type: "split", shape: { bytes: 3, crlf: true, padTo: 900 } },
  });
  expect(await list()).toEqual(before);
});

describe("EventCounter", () => {
  const bytes = Uint8Array.of(0, 0, 0, 2, 10, 10, 0, 0, 0, 0, 0, 0, 1, 1, ...Array(257).fill(10));

  test.each([1, 2, 3, 5, 500])("counts frames in pieces of %d bytes", (size) => {
    const counter = new EventCounter("lengths");
    for (let at = 0; at < bytes.length; at += size) counter.add(bytes.subarray(at, at + size));
    expect(counter.count).toBe(3);
  });

  test("counts a frame at its last byte", () => {
    const counter = new EventCounter("lengths");
    counter.add(bytes.subarray(0, 5));
    expect(counter.count).toBe(0);
    counter.add(bytes.subarray(5, 6));
    expect(counter.count).toBe(1);
  });

  test("counts no lines in protobuf", () => {
    const counter = new EventCounter("none");
    counter.add(bytes);
    expect(counter.count).toBe(0);
  });
});
