import { readFile } from "node:fs/promises";
import { describeError, type Clock, type Log } from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";

/**
 * How long a file's content is used, in milliseconds: client-go, `transport.cachingTokenSource`,
 * one minute.
 */
const freshMs = 60_000;
/** Time after which an unreadable file is tried again, in milliseconds. */
const retryMs = 1000;

/** Options of {@link RereadFiles}. */
export interface RereadOptions {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Files that others write, such as the token that a kubelet renews. They are reread together, once
 * a minute. If that fails, or the content is invalid, the former content stays, which is logged
 * once.
 */
export class RereadFiles {
  readonly #paths: readonly string[];
  readonly #isRight: (texts: readonly string[]) => boolean;
  readonly #options: RereadOptions;
  #texts: readonly string[] | undefined;
  #untilMs = -Infinity;
  #reading: Promise<readonly string[]> | undefined;
  #hasComplained = false;

  constructor(
    paths: readonly string[],
    isRight: (texts: readonly string[]) => boolean,
    options: RereadOptions,
  ) {
    this.#paths = paths;
    this.#isRight = isRight;
    this.#options = options;
  }

  /**
   * Returns the contents, in the order of the paths.
   *
   * @param isRefresh whether to reread the files in any case
   * @throws {ConfigError} if they could never be read
   */
  async get(isRefresh = false): Promise<readonly string[]> {
    const isFresh = !isRefresh && this.#options.clock.now() < this.#untilMs;
    if (this.#texts !== undefined && isFresh) return this.#texts;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<readonly string[]> {
    const { clock, log } = this.#options;
    try {
      const texts = await Promise.all(this.#paths.map((path) => readFile(path, "utf8")));
      if (!this.#isRight(texts)) throw new Error("what is in it cannot be used");
      this.#texts = texts;
      this.#untilMs = clock.now() + freshMs;
      this.#hasComplained = false;
      return texts;
    } catch (cause) {
      const what = `Cannot read ${this.#paths.join(" and ")}`;
      if (this.#texts === undefined) {
        throw new ConfigError(`${what}: ${describeError(cause)}`, { cause });
      }
      this.#untilMs = clock.now() + retryMs;
      const advice = "; what was read before is used until it works";
      if (!this.#hasComplained) log.warn(`${what}: ${describeError(cause)}${advice}`, {});
      this.#hasComplained = true;
      return this.#texts;
    }
  }
}
