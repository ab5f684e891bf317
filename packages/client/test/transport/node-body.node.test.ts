import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { bodyOf, type IncomingBody } from "../../src/transport/node-body.ts";

/** A body whose end has not arrived. */
function broken(incoming: PassThrough): IncomingBody {
  return { incoming, isComplete: () => false, cancel: () => incoming.destroy() };
}

test("data that arrives after a body was cancelled is dropped (TLS-7)", async () => {
  const incoming = new PassThrough();
  const request = new Request("http://127.0.0.1/");
  const body = bodyOf(broken(incoming), { isZipped: false, request });
  await body.cancel();
  // Deno emits these events.
  for (const event of ["data", "end", "close"]) {
    expect(incoming.emit(event, new Uint8Array(1))).toBe(true);
  }
});

test("a body that is not gzip, despite its header, releases its connection (TLS-7)", async () => {
  const incoming = new PassThrough();
  const request = new Request("http://127.0.0.1/");
  const body = bodyOf(broken(incoming), { isZipped: true, request });
  incoming.write("<html>");
  await expect(body.getReader().read()).rejects.toThrow("incorrect header check");
  expect(incoming.destroyed).toBe(true);
});

test("an unread body stops its server, and continues when it is read (LAT-4)", async () => {
  const incoming = new PassThrough();
  const request = new Request("http://127.0.0.1/");
  const body = bodyOf(broken(incoming), { isZipped: false, request });
  const piece = new Uint8Array(16 * 1024);
  let sent = 0;
  for (let turn = 0; turn < 50; turn++) {
    while (sent < 1000 && !incoming.writableNeedDrain) {
      incoming.write(piece);
      sent++;
    }
    await nextTurn();
  }
  expect(incoming.isPaused()).toBe(true);
  expect(sent).toBeLessThan(100);
  const reader = body.getReader();
  for (let read = 0; read < sent; read++) {
    const { value } = await reader.read();
    expect(value).toHaveLength(piece.length);
  }
  expect(incoming.isPaused()).toBe(false);
  await reader.cancel().catch(() => undefined);
});
