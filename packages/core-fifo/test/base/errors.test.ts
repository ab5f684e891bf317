import { describe, expect, test } from "vitest";
import { KeyError, ListwatchError, TransformError } from "@listwatch/core-fifo";
import { adviceOf, createNoMetadataError, failureKindOf } from "@listwatch/core-fifo/base";

function withMembers(members: object): Error {
  return Object.assign(new TypeError("it failed"), members);
}

const throwing = (): never => {
  throw new Error("no");
};
const hostile = [
  new Proxy(new Error("x"), { get: throwing }),
  new Proxy(new Error("x"), { getPrototypeOf: throwing }),
  Object.defineProperties(new Error("x"), {
    advice: { get: throwing },
    failureKind: { get: throwing },
  }),
];

describe("failureKindOf and adviceOf", () => {
  test.each<[unknown, string, RegExp]>([
    [new ListwatchError("LW_A", "it failed"), "LW_A", /^none$/],
    [new ListwatchError("LW_A", "it failed", { advice: "Wait" }), "LW_A", /^Wait$/],
    [new TransformError({}, new Error("boom")), "LW_TRANSFORM", /^Let the transform accept/],
    [new KeyError({}), "LW_KEY", /^Check the key function/],
    [createNoMetadataError("it has none"), "LW_NO_METADATA", /^Check that each object/],
    // Errors of another copy of a package, or of a program.
    [withMembers({ code: "LW_B", failureKind: "b", advice: "Wait" }), "b", /^Wait$/],
    [withMembers({ code: "LW_B", failureKind: 7, advice: 7 }), "LW_B", /^none$/],
    [withMembers({ code: "ENOENT" }), "ENOENT", /^none$/],
    [withMembers({ code: 404 }), "TypeError", /^none$/],
    [new TypeError("x is not a function"), "TypeError", /^none$/],
    ["boom", "a thrown string", /^none$/],
    [undefined, "a thrown undefined", /^none$/],
    [{ failureKind: "c", advice: "Wait" }, "a thrown object", /^none$/],
  ])("%s", (error, kind, advice) => {
    expect(failureKindOf(error)).toBe(kind);
    expect(adviceOf(error) ?? "none").toMatch(advice);
  });

  test("survive errors that cannot be read", () => {
    for (const error of hostile) {
      expect(failureKindOf(error)).toBe("an error that cannot be read");
      expect(adviceOf(error)).toBeUndefined();
    }
  });
});
