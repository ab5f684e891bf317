import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";

const address =
  "http://fake/api/v1/namespaces?watch=1&sendInitialEvents=true" +
  "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

/** A page cannot set this header, so that the tests are for servers. */
async function readPiece(server: FakeApiServer, encoding: string): Promise<Uint8Array> {
  const headers = { "accept-encoding": encoding };
  const { body } = await server.fetch(new Request(address, { headers }));
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const { value = new Uint8Array() } = await reader.read();
  await reader.cancel();
  return value;
}

test("a member of a compressed watch has what a plain one has, and is flushed before its end", async () => {
  const server = new FakeApiServer({ seed: 1 });
  const member = await readPiece(server, "gzip");
  // Go's readers wait for the next member when the content and the end come together.
  const [flush, end] = [
    [0, 0, 0, 255, 255],
    [1, 0, 0, 255, 255],
  ];
  expect([...member.slice(-18, -8)]).toEqual([...flush, ...end]);
  const plain = await readPiece(server, "identity");
  const content = new Response(member.slice()).body?.pipeThrough(new DecompressionStream("gzip"));
  expect(await new Response(content).text()).toBe(new TextDecoder().decode(plain));
});

test("members hold more than a stored block", async () => {
  const annotations = { text: "x".repeat(200_000) };
  const metadata = { name: "large", annotations };
  const objects = [{ apiVersion: "v1", kind: "Namespace", metadata }];
  const server = new FakeApiServer({ objects });
  const member = await readPiece(server, "gzip");
  const content = new Response(member.slice()).body?.pipeThrough(new DecompressionStream("gzip"));
  expect(await new Response(content).text()).toContain(annotations.text);
});
