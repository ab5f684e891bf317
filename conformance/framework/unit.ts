/**
 * One recorded case, as it stands in a trace file. What the other fields mean is the business of
 * its unit.
 */
export interface CaseData {
  readonly name: string;
  readonly covers?: readonly string[];
  /** The accidents of the recorded library that the case pins; a differing result may be on purpose. */
  readonly quirk?: readonly string[];
  readonly [field: string]: unknown;
}

/** A trace file. */
export interface TraceFile {
  /** Absent in the files of the informer format, which name their `subject`. */
  readonly unit?: string;
  readonly subject?: string;
  readonly cases: readonly CaseData[];
}

/** A place where a case went another way than recorded. */
export interface Failure {
  /** Counted from 0. */
  readonly step: number;
  readonly op: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Replays the cases of one unit against the implementation. */
export interface Unit {
  /** The name in the trace file, which is also the file's name without `.json`. */
  readonly name: string;
  /** Performs a case on a fresh subject; no failures means that everything went as recorded. */
  run(caseData: CaseData): readonly Failure[] | Promise<readonly Failure[]>;
}
