/** Recorded behaviour that goes another way here on purpose. */
export interface Difference {
  readonly unit: string;
  /** The tag of the recorded accident; only cases with this tag may differ. */
  readonly quirk: string;
  /** Narrows the entry to one case; otherwise it stands for all cases with the tag. */
  readonly case?: string;
  readonly reason: string;
}

/**
 * The accidents of the recorded library that are not copied. Everything else passes as recorded,
 * with an option that restores the recorded behaviour where the default is another one. An entry
 * that no case needs is an error.
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
