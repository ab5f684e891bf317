/** A difference between the servers that is known, by the text of the report. */
export interface KnownDifference {
  readonly pattern: RegExp;
  readonly why: string;
}

export const knownDifferences: readonly KnownDifference[] = [];
