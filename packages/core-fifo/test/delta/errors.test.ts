import { describeValue } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import {
  InvalidOptionsError,
  KeyError,
  ListwatchError,
  QueueClosedError,
  RequeueError,
  ResourceVersionError,
  TransformError,
} from "@listwatch/core-fifo";

const cause = new Error("the reason");

describe("errors", () => {
  test.each([
    [new KeyError({ a: 1 }, { cause }), "KeyError", "LW_KEY"],
    [new QueueClosedError("closed"), "QueueClosedError", "LW_QUEUE_CLOSED"],
    [new InvalidOptionsError("invalid"), "InvalidOptionsError", "LW_INVALID_OPTIONS"],
    [new RequeueError({ cause }), "RequeueError", "LW_REQUEUE"],
    [new ResourceVersionError("x"), "ResourceVersionError", "LW_RESOURCE_VERSION"],
    [new TransformError({ a: 1 }, cause), "TransformError", "LW_TRANSFORM"],
  ])("%s has a name and a stable code", (error, name, code) => {
    expect(error).toBeInstanceOf(ListwatchError);
    expect(error).toMatchObject({ name, code });
    expect(error.message).toMatch(/^[^.]*[^.]$/);
  });

  test("an error of a callback is kept as the cause and quoted in the message", () => {
    for (const error of [new KeyError({ a: 1 }, { cause }), new TransformError({ a: 1 }, cause)]) {
      expect(error.cause).toBe(cause);
      expect(error.message).toContain("the reason");
      expect(error.message).toContain('{"a":1}');
    }
    expect(new TransformError({}, "just text").message).toContain("just text");
    expect(new KeyError({}).message).toContain("no reason was given");
  });
});

describe("describeValue", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  test.each([
    [undefined, "undefined"],
    [null, "null"],
    ["a", 'the string "a"'],
    [1.5, "the number 1.5"],
    [true, "the boolean true"],
    [10n, "the bigint 10"],
    [Symbol("s"), "a symbol"],
    [() => {}, "a function"],
    [{ a: [1] }, '{"a":[1]}'],
    [circular, "an object"],
    [{ toJSON: () => undefined }, "an object"],
  ])("describes %o", (value, expected) => {
    expect(describeValue(value)).toBe(expected);
  });

  test("truncates a long object", () => {
    const text = describeValue({ text: "x".repeat(1000) });
    expect(text).toHaveLength(121);
    expect(text.endsWith("…")).toBe(true);
  });
});
