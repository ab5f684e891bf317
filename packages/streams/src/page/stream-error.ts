import { ListwatchError } from "@listwatch/core-fifo";
import type { ProblemReason } from "@listwatch/shared-informer";

/** A stream cannot be opened, or has ended. Code `LW_STREAM`. */
export class StreamError extends ListwatchError {
  /** Always `"StreamError"`, also in minified programs. */
  override readonly name: string = "StreamError";
  /** Kind of the failure, as in the problem of an informer. */
  readonly reason: ProblemReason;
  /** Status of the answer; 0 without one. */
  readonly httpCode: number;

  /** @param httpCode status of the answer; 0 without one */
  constructor(message: string, reason: ProblemReason, httpCode = 0, options?: ErrorOptions) {
    super("LW_STREAM", message, options);
    this.reason = reason;
    this.httpCode = httpCode;
  }

  override get failureKind(): string {
    return `${this.code} ${this.reason}`;
  }
}

/** Returns the kind of a failure by the status of its answer. */
export function reasonOfStatus(status: number): ProblemReason {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404) return "notFound";
  if (status === 429) return "overloaded";
  return status >= 500 ? "serverError" : "badRequest";
}
