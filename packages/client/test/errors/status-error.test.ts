import { isTooLargeResourceVersion, StatusError, type Status } from "@listwatch/client";
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
