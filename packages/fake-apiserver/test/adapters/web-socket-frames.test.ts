import { describe, expect, test } from "vitest";
import { encodeFrame, FrameReader, opcodes } from "../../src/adapters/web-sockets.ts";
import { growth, mostOfLinear } from "../support/growth.ts";

/** A masked frame, as sent by clients. */
function masked(opcode: number, payload: Uint8Array): Uint8Array {
  const mask = [1, 2, 3, 4];
  const size = payload.byteLength;
  const length = size < 126 ? [0x80 + size] : [0x80 + 126, size >> 8, size & 255];
  const hidden = Array.from(payload, (byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Uint8Array.from([0x80 + opcode, ...length, ...mask, ...hidden]);
}

describe("a frame", () => {
  test("of control has at most 125 bytes, so that answers to pings stay short", () => {
    const ping = masked(opcodes.ping, new Uint8Array(126));
    expect(() => new FrameReader().read(ping)).toThrow(RangeError);
    expect(() => new FrameReader().read(masked(opcodes.close, new Uint8Array(300)))).toThrow(
      RangeError,
    );
  });

  test.each([
    ["in bytes of their own", 1],
    ["in one chunk", 4_000_000],
  ])("is read in linear time when many arrive %s", async (_, step) => {
    const ratio = await growth(4000, (size) => {
      const large = masked(opcodes.text, new Uint8Array(size));
      const small = masked(opcodes.ping, new Uint8Array(1));
      const bytes = new Uint8Array(large.length + small.length * size);
      bytes.set(large);
      for (let index = 0; index < size; index++) {
        bytes.set(small, large.length + index * small.length);
      }
      return () => {
        const reader = new FrameReader();
        let read = 0;
        for (let start = 0; start < bytes.length; start += step) {
          read += reader.read(bytes.subarray(start, start + step)).length;
        }
        expect(read).toBe(1 + size);
      };
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });

  // RFC 6455 §5.7.
  test.each([
    [5, [0x81, 0x05]],
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [256, [0x81, 126, 1, 0]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])("of %i bytes begins with its length", (size, head) => {
    const frame = encodeFrame(opcodes.text, new Uint8Array(size).fill(7));
    expect([...frame.subarray(0, head.length)]).toEqual(head);
    expect(frame).toHaveLength(head.length + size);
  });

  test("of a client can arrive byte by byte, or together with others", () => {
    const ping = masked(opcodes.ping, Uint8Array.of(1, 2, 3, 4, 5));
    const long = masked(opcodes.text, new Uint8Array(300).fill(9));
    const bytes = Uint8Array.from([...ping, ...long, ...ping]);
    const reader = new FrameReader();
    const slowly = Array.from(bytes).flatMap((byte) => reader.read(Uint8Array.of(byte)));
    const atOnce = new FrameReader().read(bytes);
    expect(slowly).toEqual(atOnce);
    expect(atOnce).toEqual([
      { opcode: opcodes.ping, payload: Uint8Array.of(1, 2, 3, 4, 5) },
      { opcode: opcodes.text, payload: new Uint8Array(300).fill(9) },
      { opcode: opcodes.ping, payload: Uint8Array.of(1, 2, 3, 4, 5) },
    ]);
  });

  test.each([
    ["is not masked", [0x81, 0x01]],
    ["has a length of eight bytes", [0x81, 0xff]],
  ])("of a client that %s is rejected", (_what, bytes) => {
    expect(() => new FrameReader().read(Uint8Array.from(bytes))).toThrow(RangeError);
  });
});
