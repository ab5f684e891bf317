import { parseRetryAfter } from "../errors/retry-after.ts";
import { StatusError, type RefusedRequest } from "../errors/status-error.ts";
import { checkStatus, isStatus, reasonOfCode, type Status } from "../errors/status.ts";
import { isAfterRenewal } from "./headers.ts";
import type { Secrets } from "./secrets.ts";
import { bytePieces } from "./byte-pieces.ts";
import { withheldNoteOf } from "./withheld.ts";

/** A Status is never longer. A longer response is the page of a proxy, whose beginning is enough. */
const maxErrorBody = 64 * 1024;
const renewalNote = "the credentials were renewed after a first 401";

/** The request that failed. */
interface ErrorContext {
  /** Current time, for a Retry-After that is a date. */
  readonly nowMs: number;
  readonly refused: RefusedRequest;
  /** Values that the error must not contain. */
  readonly secrets: Secrets;
  /** Ends the reading of the body. */
  readonly signal?: AbortSignal | undefined;
  /** Reads a Status in protobuf. Only a program that requests protobuf needs it. */
  readonly readStatus?: StatusReader | undefined;
}

/** Reads a Status from the body of an error in another encoding than JSON. */
export type StatusReader = (body: Uint8Array) => unknown;

/**
 * Reads the error from a response with a code other than 2xx: its Status, or one created from its
 * code and the beginning of its body.
 *
 * @param attempted the attempted action, as the start of the message: "Cannot list pods"
 */
export async function readStatusError(
  response: Response,
  attempted: string,
  { nowMs, refused, secrets, signal, readStatus }: ErrorContext,
): Promise<StatusError> {
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), nowMs);
  const body = await readBeginning(response, signal);
  const isProtobuf = /\bprotobuf\b/.test(response.headers.get("content-type") ?? "");
  const text = isProtobuf ? "" : new TextDecoder().decode(body);
  const value = isProtobuf ? readStatus?.(body) : tryParse(text);
  const status = statusOf(value, response.status);
  const isRefusedTwice = response.status === 401 && isAfterRenewal(response);
  const note = isRefusedTwice ? renewalNote : withheldNoteOf(response);
  return new StatusError(
    // Hidden before the text is cut within a secret.
    status === undefined
      ? createStatus(response, attempted, secrets.hideIn(text))
      : secrets.hideIn(status),
    { ...refused, retryAfterMs, note },
  );
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function statusOf(value: unknown, code: number): Status | undefined {
  if (!isStatus(value)) return undefined;
  const status = checkStatus(value);
  // A Status without a code gets the code of the response.
  return status.code === undefined ? { ...status, code } : status;
}

function createStatus(response: Response, attempted: string, text: string): Status {
  const beginning = text.trim().slice(0, 200);
  const got = beginning === "" ? "no body" : JSON.stringify(beginning);
  return {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: reasonOfCode(response.status),
    code: response.status,
    message: `${attempted}: the server answered ${response.status} with ${got}`,
  };
}

async function readBeginning(
  { body }: Response,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const bytes: number[] = [];
  try {
    for await (const piece of bytePieces(body, signal)) {
      for (const byte of piece) bytes.push(byte);
      if (bytes.length >= maxErrorBody) break;
    }
  } catch {
    // Without the rest of the body only the explanation is missing.
  }
  return Uint8Array.from(bytes);
}
