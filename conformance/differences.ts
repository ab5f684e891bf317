/** Recorded behaviour that differs here on purpose. */
export interface Difference {
  readonly unit: string;
  /** The tag of the recorded quirk; only cases with this tag may differ. */
  readonly quirk: string;
  /** Restricts the entry to one case; otherwise it applies to all cases with the tag. */
  readonly case?: string;
  readonly reason: string;
}

/**
 * Quirks of the recorded library that are not copied. Everything else behaves as recorded, with an
 * option that restores the recorded behaviour where the default differs. An unneeded entry is an
 * error.
 */
export const differences: readonly Difference[] = [
  {
    unit: "label-selectors",
    quirk: "labels-NUL",
    reason: "a NUL character is an invalid character, not the end of a selector",
  },
  {
    unit: "workqueue",
    quirk: "WQ-drain-signal",
    reason: "when a queue is drained, every wait for that ends",
  },
  {
    unit: "workqueue",
    quirk: "DQ-7",
    reason: "any shutDown ends the wait of a drain, in delaying queues too",
  },
];
