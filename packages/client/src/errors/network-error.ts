import { ListwatchError } from "@listwatch/core-fifo";

/**
 * What went wrong on the way: nobody listens, the connection broke, it ended before (`eof`) or
 * within (`unexpected-eof`) the answer, nothing came for too long, or the runtime does not tell
 * (browsers).
 */
export type NetworkErrorKind =
  | "connection-refused"
  | "connection-reset"
  | "eof"
  | "unexpected-eof"
  | "timeout"
  | "unknown";

/** The server could not be asked, or its answer did not arrive whole. Code `LW_NETWORK`. */
export class NetworkError extends ListwatchError {
  override readonly name: string = "NetworkError";
  readonly kind: NetworkErrorKind;

  constructor(kind: NetworkErrorKind, message: string, options?: ErrorOptions) {
    super("LW_NETWORK", message, options);
    this.kind = kind;
  }
}

/** Whether an error is a {@link NetworkError}, of one of these kinds if any are given. */
export function isNetworkError(error: unknown, ...kinds: readonly NetworkErrorKind[]): boolean {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "LW_NETWORK") return false;
  return kinds.length === 0 || ("kind" in error && kinds.some((kind) => kind === error.kind));
}

/**
 * The system's and the runtimes' names for each kind: errno names (Node, and Deno in texts),
 * undici's codes (Node), and what Bun and Deno write in codes and messages.
 */
const signs: readonly (readonly [NetworkErrorKind, RegExp])[] = [
  [
    "connection-refused",
    /\b(ECONNREFUSED|ConnectionRefused|connection refused|unable to connect)\b/i,
  ],
  ["timeout", /(\b|_)(ETIMEDOUT|time(d|-)? ?out)\b/i],
  [
    "unexpected-eof",
    /\b(unexpected (eof|end of file)|incomplete|body from connection|error reading a body|terminated|premature|UND_ERR_RES_CONTENT_LENGTH)/i,
  ],
  [
    "connection-reset",
    /\b(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|Connection(Reset|Closed)|connection (was )?(reset|closed|aborted)|FailedToOpenSocket|socket)\b/i,
  ],
  ["eof", /\b(EOF|other side closed|connection closed before message completed)\b/i],
];

/**
 * An address in a text, which may have any word in its path or query: `timeoutSeconds=`, a
 * namespace named `socket`.
 */
const address = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]*/gi;

/**
 * Makes a {@link NetworkError} of what `fetch`, or reading a body, failed with, over all runtimes.
 *
 * @param attempted what was tried, as the start of the message: "Cannot list pods"
 */
export function networkErrorFrom(error: unknown, attempted: string): NetworkError {
  const texts: string[] = [];
  // undici hides the system's error behind up to three causes; the innermost says most.
  for (let cause = error, depth = 0; cause !== undefined && depth < 4; depth++) {
    texts.unshift(describe(cause));
    cause =
      typeof cause === "object" && cause !== null && "cause" in cause ? cause.cause : undefined;
  }
  const words = texts.map((text) => text.replaceAll(address, ""));
  const kind = signs.find(([, sign]) => words.some((text) => sign.test(text)))?.[0] ?? "unknown";
  return new NetworkError(kind, `${attempted}: ${texts[0] ?? "no reason given"}`, { cause: error });
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return `${error.message}${code}`;
}
