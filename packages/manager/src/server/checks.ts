import { describeError } from "@listwatch/core-fifo/base";

/** Result of a check that passed or failed. */
export interface CheckResult {
  /** Name of the check, such as `informer/v1/pods`. */
  readonly name: string;
  /** Whether it passed. */
  readonly isOk: boolean;
  /** Detail of a check that passed, or the reason of one that failed. */
  readonly detail: string;
}

/**
 * A check of a probe. It passes if it returns without an error; a string is shown as its detail. It
 * may be asynchronous.
 */
export type Check = () => unknown;

/** Named checks of one probe. */
export class Checks {
  readonly #checks = new Map<string, Check>();

  /** Adds a check, or replaces the one with this name. */
  set(name: string, check: Check): void {
    this.#checks.set(name, check);
  }

  /** Returns the same checks, to which others can be added. */
  copy(): Checks {
    const copied = new Checks();
    for (const [name, check] of this.#checks) copied.set(name, check);
    return copied;
  }

  has(name: string): boolean {
    return this.#checks.has(name);
  }

  /** Runs all checks, or the one with this name. */
  run(only?: string): Promise<readonly CheckResult[]> {
    const chosen = [...this.#checks].filter(([name]) => only === undefined || name === only);
    return Promise.all(chosen.map(([name, check]) => runCheck(name, check)));
  }
}

async function runCheck(name: string, check: Check): Promise<CheckResult> {
  try {
    const detail: unknown = await check();
    return { name, isOk: true, detail: typeof detail === "string" ? detail : "" };
  } catch (error) {
    return { name, isOk: false, detail: describeError(error) };
  }
}

/** Formats results as apiserver's `/readyz?verbose` does: a line for each check. */
export function formatResults(results: readonly CheckResult[]): string {
  return results
    .map(({ detail, isOk, name }) => {
      const text = detail === "" ? "" : ` (${detail})`;
      return isOk ? `[+]${name} ok${text}\n` : `[-]${name} failed: ${detail}\n`;
    })
    .join("");
}
