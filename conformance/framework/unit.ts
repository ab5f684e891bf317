/** One recorded case of a trace file. Its unit interprets the other members. */
export interface CaseData {
  readonly name: string;
  readonly covers?: readonly string[];
  /** Quirks of the recorded library in the case; a result may differ from them on purpose. */
  readonly quirk?: readonly string[];
  readonly [field: string]: unknown;
}

export interface TraceFile {
  /** Absent in files of the informer format, which have a `subject`. */
  readonly unit?: string;
  readonly subject?: string;
  readonly cases: readonly CaseData[];
}

/** A difference between a case and its recording. */
export interface Failure {
  /** Index, starting at 0. */
  readonly step: number;
  readonly op: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Replays the cases of one unit against the implementation. */
export interface Unit {
  /** The name in the trace file, which is the file's name without `.json`. */
  readonly name: string;
  /** Performs a case on a new subject. Returns no failures if everything matches the recording. */
  run(caseData: CaseData): readonly Failure[] | Promise<readonly Failure[]>;
}
