import { ListwatchError } from "@listwatch/core-fifo";

/**
 * Maximum number of consecutive empty pages in a list. The API server fills its pages up to the
 * limit, even with selectors, so it hardly sends any.
 */
const maxEmptyPages = 100;

/** Follows the continue tokens of one list. */
export class PageTokens {
  readonly #seen = new Set<string>();
  #emptyPages = 0;

  /**
   * Records a page. Returns the token of the next one, `""` after the last.
   *
   * @throws {ListwatchError} with the code `LW_ENDLESS_LIST` if a token repeats, or 100 consecutive
   *   pages have no item
   */
  next(token: string | undefined, items: number): string {
    if (token === undefined || token === "") return "";
    if (this.#seen.has(token)) throw createEndlessListError("the same continue token again");
    this.#seen.add(token);
    this.#emptyPages = items === 0 ? this.#emptyPages + 1 : 0;
    if (this.#emptyPages < maxEmptyPages) return token;
    throw createEndlessListError(`${maxEmptyPages} pages in a row without an item`);
  }
}

function createEndlessListError(got: string): ListwatchError {
  return new ListwatchError("LW_ENDLESS_LIST", `Cannot list: expected pages that end, got ${got}`, {
    advice: "Check the server, and proxies that change answers: its pages never end",
  });
}
