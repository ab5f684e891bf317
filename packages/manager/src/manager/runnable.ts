import {
  aBoolean,
  aFunction,
  aString,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Work of a program that a manager starts and stops. */
export interface Runnable {
  /** Name in logs and errors, unique in the manager. */
  readonly name: string;
  /** Whether it only runs while this replica leads. @default false */
  readonly needsLeader?: boolean | undefined;
  /**
   * Called when the informers have synced, and with `needsLeader` when this replica leads. It works
   * until the signal is aborted: an earlier end, with or without an error, ends the manager.
   */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

const runnableTable: OptionsOf<Runnable> = { name: aString, needsLeader: aBoolean, run: aFunction };

/** @throws {InvalidOptionsError} if it is not a runnable */
export function checkRunnable(runnable: unknown): void {
  checkOptions(runnable, runnableTable, ["name", "run"]);
}
