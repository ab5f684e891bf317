import { describe, expect, test } from "vitest";
import { AlreadyRunningError, InvalidOptionsError } from "@listwatch/core-fifo";
import {
  aFunction,
  anInteger,
  anObject,
  aNumber,
  checkOption,
  checkOptions,
  having,
  oneOf,
  type OptionCheck,
  describeError,
  describeValue,
  isPromiseLike,
} from "@listwatch/core-fifo/base";

const secretive = { server: "http://server", headers: { token: "secret" } };
const checks = {
  ms: aNumber(0),
  workers: anInteger(1),
  mode: oneOf("a", "b"),
  onError: aFunction,
  source: having("list", "watch"),
  options: anObject,
};

describe("option checks", () => {
  test("accept absent and usable values", () => {
    const source = { list: (): void => {}, watch: (): void => {} };
    const onError = (): void => {};
    const usable = { ms: Infinity, workers: 1, mode: "a", onError, source, options: {} };
    const check = (): void => {
      checkOptions(usable, checks);
      checkOptions({ ms: undefined, workers: undefined, mode: undefined }, checks);
      checkOptions({}, checks);
    };
    expect(check).not.toThrow();
  });

  test.each<[string, unknown, OptionCheck]>([
    ["a number of 0 or more, got the number NaN", Number.NaN, checks.ms],
    ['a number of 0 or more, got the string "1"', "1", checks.ms],
    ["an integer of 1 or more, got the number 1.5", 1.5, checks.workers],
    ["one of a, b, got null", null, checks.mode],
    ["a function, got {}", {}, checks.onError],
    ["an object with the functions list and watch, got {}", {}, checks.source],
    [
      "an object with the functions list, got an object with server, headers",
      secretive,
      having("list"),
    ],
    ["a function, got an array of 2", ["secret", "secret"], checks.onError],
    ["an object, got a function", (): void => {}, checks.options],
  ])("name the option, the expected and the actual value: %s", (text, value, rule) => {
    const check = (): void => checkOption("x", value, rule);
    expect(check).toThrow(`Cannot use the option x: expected ${text}`);
    expect(check).toThrow(expect.objectContaining({ code: "LW_INVALID_OPTIONS", option: "x" }));
    expect(check).toThrow(InvalidOptionsError);
  });
});

describe("values", () => {
  test("describeError returns the message, or a string for a value that is not an error", () => {
    expect(describeError(new Error("broken"))).toBe("broken");
    expect(describeError(1)).toBe("1");
  });

  test("describeValue names the type of a value without a short form", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expect(describeValue(circular)).toBe("an object");
    expect(describeValue("a".repeat(3))).toBe('the string "aaa"');
    expect(describeValue({ text: "a".repeat(200) })).toHaveLength(121);
    expect(describeValue(undefined)).toBe("undefined");
    expect(describeValue(Symbol("s"))).toBe("a symbol");
  });

  test("isPromiseLike looks for a then function", () => {
    expect(isPromiseLike(Promise.resolve())).toBe(true);
    expect(isPromiseLike({ then: 1 })).toBe(false);
    expect(isPromiseLike(undefined)).toBe(false);
  });

  test("an AlreadyRunningError names the object that was run", () => {
    const error = new AlreadyRunningError("informer pods");
    expect(error.message).toBe("Cannot run informer pods: run was called before");
    expect(error.code).toBe("LW_ALREADY_RUNNING");
  });
});
