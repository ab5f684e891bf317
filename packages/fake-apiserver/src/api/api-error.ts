import type { StatusDetails } from "./api-object.ts";

/** The parts of an {@link ApiError}. */
export interface ApiErrorOptions {
  /** HTTP status code of the answer. */
  readonly code: number;
  /** Absent in several answers with code 500. @default none */
  readonly reason?: string | undefined;
  /** Message of the Status. */
  readonly message: string;
  /** Details of the Status: the object, and causes. @default none */
  readonly details?: StatusDetails | undefined;
  /** `metadata.continue` of the Status: the fresh token of an expired list. @default none */
  readonly continueToken?: string | undefined;
  /** Whether the answer forbids guesses of its content type, as those of the gate do. @default false */
  readonly noSniff?: boolean | undefined;
}

/**
 * A refusal inside the server: thrown by verbs, and turned into a Status answer in one place. Never
 * leaves `fetch`.
 */
export class ApiError extends Error {
  /** Always `"ApiError"`, also in minified programs. */
  override readonly name: string = "ApiError";
  /** HTTP status code of the answer. */
  readonly code: number;
  /** Reason of the Status; `undefined` if it has none. */
  readonly reason: string | undefined;
  /** Details of the Status; `undefined` if it has none. */
  readonly details: StatusDetails | undefined;
  /** Fresh token of an expired list; `undefined` for other refusals. */
  readonly continueToken: string | undefined;
  /** Whether the answer forbids guesses of its content type. */
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
