import { describe, expect, test } from "vitest";
import { AlreadyRunningError, InvalidOptionsError } from "@listwatch/core-fifo";
import {
  checkAtLeast,
  checkFunction,
  checkFunctions,
  checkIntegerAtLeast,
  checkObject,
  checkOneOf,
  describeError,
  describeValue,
  isPromiseLike,
} from "@listwatch/core-fifo/base";

const withSecret = (): void =>
  checkFunctions("x", { server: "http://server", headers: { token: "secret" } }, ["list"]);

describe("option checks", () => {
  test("accept absent and usable values", () => {
    const source = { list: (): void => {}, watch: (): void => {} };
    const check = (): void => {
      checkAtLeast("ms", undefined, 0);
      checkAtLeast("ms", Infinity, 0);
      checkIntegerAtLeast("workers", undefined, 1);
      checkIntegerAtLeast("workers", 1, 1);
      checkOneOf("mode", undefined, ["a"]);
      checkOneOf("mode", "a", ["a", "b"]);
      checkFunction("onError", undefined);
      checkFunction("onError", () => {});
      checkFunctions("source", source, ["list", "watch"]);
      checkObject("options", {});
    };
    expect(check).not.toThrow();
  });

  test.each<[string, () => void]>([
    ["a number of 0 or more, got the number NaN", () => checkAtLeast("x", Number.NaN, 0)],
    ['a number of 0 or more, got the string "1"', () => checkAtLeast("x", "1", 0)],
    ["an integer of 1 or more, got the number 1.5", () => checkIntegerAtLeast("x", 1.5, 1)],
    ["one of a, b, got null", () => checkOneOf("x", null, ["a", "b"])],
    ["a function, got {}", () => checkFunction("x", {})],
    [
      "an object with the functions list and watch, got {}",
      () => {
        checkFunctions("x", {}, ["list", "watch"]);
      },
    ],
    ["an object with the functions list, got an object with server, headers", withSecret],
    ["a function, got an array of 2", () => checkFunction("x", ["secret", "secret"])],
    ["an object, got a function", () => checkObject("x", () => {})],
  ])("name the option, the expected and the actual value: %s", (text, check) => {
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
