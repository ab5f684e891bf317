import { onAborted } from "@listwatch/core-fifo/base";

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAborted(signal, resolve));
}
