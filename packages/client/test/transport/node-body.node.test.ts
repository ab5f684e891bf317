import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { readerOf } from "../../src/http/chunk-source.ts";
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

describe("a reader that needs no stream (LAT-2)", () => {
  const text = (chunk: Uint8Array | undefined): string | undefined =>
    chunk && new TextDecoder().decode(chunk);

  test("gets chunks that have arrived at once, and then waits for the next ones", async () => {
    const incoming = new PassThrough();
    const request = new Request("http://127.0.0.1/");
    const source = readerOf(bodyOf(broken(incoming), { isZipped: false, request }));
    incoming.write("a");
    incoming.write("b");
    await nextTurn();
    expect(text(source.read() as Uint8Array)).toBe("a");
    expect(text(source.read() as Uint8Array)).toBe("b");
    const next = source.read();
    expect(next).toBeInstanceOf(Promise);
    incoming.write("c");
    expect(text(await next)).toBe("c");
    source.cancel(undefined);
    expect(incoming.destroyed).toBe(true);
    expect(source.read()).toBeUndefined();
  });

  test("gets the error of a broken body after its chunks", async () => {
    const incoming = new PassThrough();
    const request = new Request("http://127.0.0.1/");
    const source = readerOf(bodyOf(broken(incoming), { isZipped: false, request }));
    incoming.write("a");
    await nextTurn();
    incoming.destroy();
    await nextTurn();
    expect(text(await source.read())).toBe("a");
    expect(() => source.read()).toThrow("closed before the body ended");
  });

  test("gets the reason of an abort immediately", async () => {
    const incoming = new PassThrough();
    const controller = new AbortController();
    const request = new Request("http://127.0.0.1/", { signal: controller.signal });
    const source = readerOf(bodyOf(broken(incoming), { isZipped: false, request }));
    incoming.write("a");
    await nextTurn();
    controller.abort(new Error("stopped"));
    incoming.destroy();
    await nextTurn();
    expect(() => source.read()).toThrow("stopped");
  });

  test("ends a pending read when the body is cancelled", async () => {
    const incoming = new PassThrough();
    const request = new Request("http://127.0.0.1/");
    const source = readerOf(bodyOf(broken(incoming), { isZipped: false, request }));
    const pending = source.read();
    source.cancel(undefined);
    expect(await pending).toBeUndefined();
  });
});
