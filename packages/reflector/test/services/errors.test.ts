import { OtherHistoryError, UnexpectedObjectError } from "@listwatch/reflector";
import { expect, test } from "vitest";
import {
  createSilentWatchesError,
  createStreamedListCutError,
  createVeryShortWatchError,
} from "../../src/services/errors.ts";

test.each([
  [createVeryShortWatchError("pods"), "LW_VERY_SHORT_WATCH", /closes watches at once/],
  [createSilentWatchesError("pods", 5), "LW_SILENT_WATCHES", /closes watches early/],
  [createStreamedListCutError("pods", 2), "LW_STREAMED_LIST_CUT", /closes watches early/],
  [new OtherHistoryError("pods", "2", "1"), "LW_OTHER_HISTORY", /listed again/],
  [new UnexpectedObjectError("a Status", 1), "LW_UNEXPECTED_OBJECT", /^Check the resource/],
])("%s has advice, and a kind without names and numbers", (error, failureKind, advice) => {
  expect(error.failureKind).toBe(failureKind);
  expect(error.advice).toMatch(advice);
});
