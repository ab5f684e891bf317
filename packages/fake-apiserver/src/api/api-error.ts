import type { StatusDetails } from "./api-object.ts";

/** The parts of an {@link ApiError}. */
export interface ApiErrorOptions {
  readonly code: number;
  /** Absent in several answers with code 500. */
  readonly reason?: string | undefined;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
  /** `metadata.continue` of the Status: the fresh token of an expired list. */
  readonly continueToken?: string | undefined;
  /** Whether the answer forbids guesses of its content type, as those of the gate do. @default false */
  readonly noSniff?: boolean | undefined;
}

/**
 * A refusal inside the server: thrown by verbs, and turned into a Status answer in one place. Never
 * leaves `fetch`.
 */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;
  readonly noSniff: boolean;

  constructor(options: ApiErrorOptions) {
    super(options.message);
    this.code = options.code;
    this.reason = options.reason;
    this.details = options.details;
    this.continueToken = options.continueToken;
    this.noSniff = options.noSniff ?? false;
  }
}
