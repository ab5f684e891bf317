import { ListwatchError } from "@listwatch/core-fifo";

/**
 * A request to a webhook that cannot be answered with a review. It is answered with 400. Code
 * `LW_BAD_REVIEW`.
 */
export class BadReviewError extends ListwatchError {
  /** Always `"BadReviewError"`, also in minified programs. */
  override readonly name: string = "BadReviewError";

  /**
   * @param expected what the request should have been, such as `the method POST`
   * @param got what it was
   */
  constructor(expected: string, got: string) {
    super("LW_BAD_REVIEW", `Cannot answer the review: expected ${expected}, got ${got}`, {
      advice: "Check the rules and the path in the configuration of the webhook",
    });
  }
}
