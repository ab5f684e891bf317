/** One recorded scenario; what is in its steps only the replayer looks at. */
export interface RecordedCase {
  readonly name: string;
  readonly category: string;
  readonly title: string;
  readonly requires?: readonly string[];
  readonly steps: readonly { readonly op: string }[];
  readonly cleanup?: readonly string[];
}

/** A way to send requests. */
export type Transport = (request: object) => Promise<object>;

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

export function httpTransport(base: string): Transport;

export function fetchTransport(handler: (request: Request) => Promise<Response>): Transport;

export function runCase(
  recorded: RecordedCase,
  transport: Transport,
  options?: ReplayOptions,
): Promise<CaseResult>;
