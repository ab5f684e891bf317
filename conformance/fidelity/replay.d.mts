/** One recorded scenario; what is in its steps only the replayer looks at. */
export interface RecordedCase {
  readonly name: string;
  readonly category: string;
  readonly title: string;
  readonly requires?: readonly string[];
  readonly steps: readonly { readonly op: string }[];
  readonly cleanup?: readonly string[];
}

/** A request as transports take it. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** An answer as transports give it. */
export interface TransportAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Names and values in turn, over a socket only. */
  readonly rawHeaders?: readonly string[];
  text(): Promise<string>;
}

/** A way to send requests. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

export interface StepResult {
  readonly index: number;
  readonly op: string;
  readonly what: string;
  readonly ok: boolean;
  readonly diffs: readonly string[];
}

export interface CaseResult {
  readonly name: string;
  readonly category: string;
  readonly ok: boolean;
  readonly skipped?: string;
  readonly steps: readonly StepResult[];
}

export interface ReplayOptions {
  readonly hooks?: { readonly compact?: () => void | Promise<void> };
  readonly ignoreMessages?: boolean;
  readonly cleanup?: boolean;
}

/** Matches answers against expectations with matchers, and keeps what they bind. */
export class Session {
  vars: Map<string, string>;
  match(expected: unknown, actual: unknown, at: string, differences: string[]): void;
}

export function httpTransport(base: string): Transport;

export function fetchTransport(handler: (request: Request) => Promise<Response>): Transport;

export function stripManagedFields(value: unknown): unknown;

export function runCase(
  recorded: RecordedCase,
  transport: Transport,
  options?: ReplayOptions,
): Promise<CaseResult>;
