import { StatusError } from "@listwatch/client";
import { expect, test } from "vitest";
import { errorOfList } from "../../src/informer/refused-error.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);

test.each([
  ["3", 3000],
  ["Thu, 01 Jan 2026 12:00:07 GMT", 7000],
  ["Thu, 01 Jan 2026 11:00:00 GMT", 0],
  ["soon", undefined],
])("the Retry-After %j of an ApiException is %j ms", (header, ms) => {
  const exception = Object.assign(new Error("HTTP-Code: 429"), {
    code: 429,
    body: "",
    headers: { "retry-after": header },
  });
  const error = errorOfList(exception, nowMs);
  expect(error).toBeInstanceOf(StatusError);
  expect(error).toMatchObject({ httpCode: 429, retryAfterMs: ms, cause: exception });
});
