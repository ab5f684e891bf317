import { StatusError, type Status } from "@listwatch/client";
import { isTooLargeResourceVersion } from "@listwatch/client/base";
import { describe, expect, test } from "vitest";

const text = "Too large resource version";
const withCause = (cause: object): Pick<Status, "details"> => ({ details: { causes: [cause] } });

describe("a resourceVersion that is too large (REF-16)", () => {
  test.each<[string, Status]>([
    ["the reason of a cause", { code: 504, ...withCause({ reason: "ResourceVersionTooLarge" }) }],
    ["the text of a cause", { reason: "Timeout", ...withCause({ message: text }) }],
    ["the text of a cause, with code 504 only", { code: 504, ...withCause({ message: text }) }],
    ["the text of the message", { reason: "Timeout", details: {}, message: `${text}: 9, now: 8` }],
  ])("is recognised by %s", (_, status) => {
    expect(isTooLargeResourceVersion(new StatusError(status))).toBe(true);
  });

  test.each<[string, Status]>([
    ["a timeout without a word of it", { code: 504, reason: "Timeout", details: {} }],
    ["a message without details", { code: 504, reason: "Timeout", message: text }],
    [
      "the text in another failure",
      { code: 500, reason: "InternalError", ...withCause({ message: text }) },
    ],
    [
      "code 504 with another known reason",
      { code: 504, reason: "Expired", ...withCause({ message: text }) },
    ],
  ])("is not %s", (_, status) => {
    expect(isTooLargeResourceVersion(new StatusError(status))).toBe(false);
  });
});

describe("a Status whose members have wrong types", () => {
  const mistyped = (status: object): StatusError => new StatusError(status);

  test.each([
    ["causes that are no array", { details: { causes: { reason: "x" } } }],
    ["causes that are no objects", { details: { causes: [null, "x", 1, []] } }],
    ["a cause without text", { details: { causes: [{ reason: 1, message: {} }] } }],
    ["details that are no object", { details: "x" }],
    ["a message that is no text", { details: {}, code: 504, message: { a: 1 } }],
    ["a reason that is no text", { reason: {}, code: 504 }],
  ])("does not break isTooLargeResourceVersion: %s", (_, status) => {
    expect(isTooLargeResourceVersion(mistyped(status))).toBe(false);
    expect(typeof mistyped(status).message).toBe("string");
    expect(typeof mistyped(status).reason).toBe("string");
  });

  test("keeps members of the right type, and unknown ones", () => {
    const { status } = mistyped({
      code: Number.NaN,
      message: "no",
      details: { causes: [{ reason: 1, field: "spec" }, null], uid: "u" },
      added: 1,
    });
    expect(status).toEqual({
      message: "no",
      details: { causes: [{ field: "spec" }], uid: "u" },
      added: 1,
    });
  });

  test("is the same object if all types are right", () => {
    const status: Status = { code: 504, details: { causes: [{ reason: "x" }] } };
    expect(new StatusError(status).status).toBe(status);
  });
});
