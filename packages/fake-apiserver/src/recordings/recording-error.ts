/** A file is not a recording, or a line of it is unusable. */
export class RecordingError extends Error {
  override readonly name: string = "RecordingError";
  /** Stable identifier of this kind of error. */
  readonly code = "LW_RECORDING";
  /** Number of the line; the first one is 1. */
  readonly line: number;

  constructor(line: number, message: string, options?: ErrorOptions) {
    super(`Cannot read line ${line} of the recording: ${message}`, options);
    this.line = line;
  }
}
