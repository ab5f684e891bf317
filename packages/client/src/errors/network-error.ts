import { ListwatchError } from "@listwatch/core-fifo";
import { hasCode, recordOf, stringOf } from "@listwatch/core-fifo/base";

/**
 * Kind of a failure between program and server: nothing listens, the connection broke, it ended
 * before (`eof`) or within (`unexpected-eof`) the response, nothing arrived for too long, the
 * server's certificate is not trusted (authority, dates or name), or unknown (the only kind in
 * browsers).
 */
export type NetworkErrorKind =
  | "connection-refused"
  | "connection-reset"
  | "eof"
  | "unexpected-eof"
  | "timeout"
  | "untrusted-certificate"
  | "unknown";

/** The server could not be reached, or its response did not arrive completely. Code `LW_NETWORK`. */
export class NetworkError extends ListwatchError {
  /** Always `"NetworkError"`, also in minified programs. */
  override readonly name: string = "NetworkError";
  /** Place of the failure between program and server. `unknown` if the runtime does not reveal it. */
  readonly kind: NetworkErrorKind;

  constructor(kind: NetworkErrorKind, message: string, options?: ErrorOptions) {
    super("LW_NETWORK", message, options);
    this.kind = kind;
  }

  override get failureKind(): string {
    return this.#isNameUnknown ? "network: name" : `network: ${this.kind}`;
  }

  override get advice(): string {
    if (this.#isNameUnknown) return "Check the host name of the server, and DNS";
    switch (this.kind) {
      case "untrusted-certificate":
        return "Check the certificate authority that the connection trusts, and the server's address";
      case "connection-refused":
        return "Check the address and port of the server, and that it runs: nothing listens there";
      case "timeout":
        return "Check the network and the proxies between: nothing arrived in time";
      case "connection-reset":
      case "eof":
      case "unexpected-eof":
        return "Check the server and the proxies between: the connection broke";
      case "unknown":
      default:
        return "Check the address of the server, the network, certificates, in a browser CORS";
    }
  }

  get #isNameUnknown(): boolean {
    return textsOf(this).some((text) => /ENOTFOUND|EAI_AGAIN|dns error/i.test(hideAddresses(text)));
  }
}

/**
 * Whether an error is a {@link NetworkError}, and of one of these kinds if any are given.
 *
 * @param kinds accepted kinds; all if there are none
 */
export function isNetworkError(error: unknown, ...kinds: readonly NetworkErrorKind[]): boolean {
  if (!hasCode(error, "LW_NETWORK")) return false;
  return kinds.length === 0 || ("kind" in error && kinds.some((kind) => kind === error.kind));
}

/**
 * Names of systems and runtimes for each kind: errno names (Node, and Deno in messages), codes of
 * undici (Node), and words in codes and messages of Bun and Deno.
 */
const signs: readonly (readonly [NetworkErrorKind, RegExp])[] = [
  // Names of OpenSSL (Node and Bun: node:tls, "X509 certificate error codes"), then of rustls
  // (Deno). An "alert" concerns the client certificate.
  [
    "untrusted-certificate",
    /\b(DEPTH_ZERO_|SELF_SIGNED_|(ERR_TLS_)?CERT_|CRL_|UNABLE_TO_|invalid peer certificate\b)/,
  ],
  ["connection-refused", /\b(ECONNREFUSED|connection ?refused|unable to connect)\b/i],
  ["timeout", /(\b|_)(ETIMEDOUT|time(d|-)? ?out)\b/i],
  ["unexpected-eof", /\b(unexpected ?(eof|end of file)|incomplete|terminated|premature)/i],
  ["unexpected-eof", /\b(body from connection|error reading a body|UND_ERR_RES_CONTENT_LENGTH)/i],
  [
    "connection-reset",
    /\b(ECONN(RESET|ABORTED)|EPIPE|BrokenPipe|UND_ERR_SOCKET|FailedToOpenSocket|socket)\b/i,
  ],
  ["connection-reset", /\bconnection(reset|closed| (was )?(reset|closed|aborted))\b/i],
  // The last one is of rustls, hence Deno: the connection ended without the end of TLS.
  [
    "eof",
    /\b(EOF|other side closed|connection closed before message completed|peer closed connection)\b/i,
  ],
];

const certificateAdvice =
  "; check its dates, its names (tls.serverName), and that tls.ca has its authority";

/**
 * Addresses in a message. Their path and query may contain any of the words above:
 * `timeoutSeconds=`, a namespace named `socket`.
 */
const address = /\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]*/gi;

function hideAddresses(text: string): string {
  return text.replaceAll(address, "");
}

/**
 * Converts an error of `fetch`, or of reading a body, to a {@link NetworkError}. Understands the
 * errors of all runtimes.
 *
 * @param attempted the attempted action, as the start of the message: "Cannot list pods"
 */
export function networkErrorFrom(error: unknown, attempted: string): NetworkError {
  const texts = textsOf(error);
  const words = texts.map(hideAddresses);
  const kind = signs.find(([, sign]) => words.some((text) => sign.test(text)))?.[0] ?? "unknown";
  const reason = texts[0] ?? "no reason given";
  const advice = kind === "untrusted-certificate" ? certificateAdvice : "";
  return new NetworkError(kind, `${attempted}: ${reason}${advice}`, { cause: error });
}

/**
 * Returns messages and codes of an error and its causes, the innermost first. undici wraps the
 * system's error up to three times; the innermost is the most specific.
 */
function textsOf(error: unknown): string[] {
  return causesOf(error).map(describe);
}

/** Most causes that are read, and their greatest depth: causes may form a circle. */
const causeLimits = { count: 16, depth: 4 };

/** Returns an error, its causes and the errors in an AggregateError, the innermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  const add = (cause: unknown, depth: number): void => {
    if (cause === undefined || depth > causeLimits.depth || causes.length > causeLimits.count)
      return;
    const { cause: inner, errors } = recordOf(cause);
    add(inner, depth + 1);
    // Node tries several addresses of a name, and reports the failures together.
    if (Array.isArray(errors)) for (const one of errors) add(one, depth + 1);
    causes.push(cause);
  };
  add(error, 1);
  return causes;
}

/** Codes of systems, undici, Node's streams and TLS, and names of Deno's and Bun's errors. */
const networkCode = new RegExp(
  `^(${[
    "E(CONN(REFUSED|RESET|ABORTED)|PIPE|(SOCKET)?TIMEDOUT|NOTFOUND|AI_AGAIN)",
    "E(ADDRNOTAVAIL|(HOST|NET)(UNREACH|DOWN))",
    "UND_ERR_(SOCKET|CLOSED|(CONNECT|HEADERS|BODY)_TIMEOUT|RES_CONTENT_LENGTH_MISMATCH)",
    "ERR_(STREAM_PREMATURE_CLOSE|HTTP2_(STREAM|SESSION)_ERROR|SOCKET_CONNECTION_TIMEOUT)",
    "((ERR_TLS_)?CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)\\w+",
    "Connection(Refused|Reset|Aborted|Closed)|BrokenPipe|TimedOut|UnexpectedEof|FailedToOpenSocket",
  ].join("|")})$`,
);

/** Messages of the TypeErrors of `fetch`: Node, Deno, Chromium, Firefox and WebKit. */
const fetchFailure =
  /^(fetch failed|error sending request|failed to fetch|networkerror|load failed)/i;

/**
 * Whether an error of an unknown transport is one of the network, by its codes and those of its
 * causes. Read by shape: under Jest, errors of Node are of another realm.
 */
export function isNetworkFailure(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    const { code, message, name } = recordOf(cause);
    if (name === "TypeError" && fetchFailure.test(stringOf(message))) return true;
    return networkCode.test(stringOf(code)) || networkCode.test(stringOf(name));
  });
}

function describe(error: unknown): string {
  const { code, message, name } = recordOf(error);
  if (typeof message !== "string") return String(error);
  const sign = stringOf(code) || (networkCode.test(stringOf(name)) ? stringOf(name) : "");
  return sign === "" ? message : `${message} (${sign})`;
}
