import { StatusError } from "../errors/status-error.ts";
import { isStatus, reasonOfCode, type Status } from "../errors/status.ts";

/** No Status is longer. A longer answer is a page of a proxy, whose beginning is enough. */
const maxErrorBody = 64 * 1024;

/**
 * Reads the error from a response with a code other than 2xx: its Status, or one made of its code
 * and the beginning of its body.
 *
 * @param attempted what was tried, as the start of the message: "Cannot list pods"
 * @param nowMs the present, for a Retry-After that is a date
 */
export async function readStatusError(
  response: Response,
  attempted: string,
  nowMs: number,
): Promise<StatusError> {
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), nowMs);
  const text = await readBeginning(response);
  return new StatusError(parseStatus(text) ?? createStatus(response, attempted, text), {
    retryAfterMs,
  });
}

function parseStatus(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
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

async function readBeginning(response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const utf8 = new TextDecoder();
  let text = "";
  try {
    while (text.length < maxErrorBody) {
      const { value } = await reader.read();
      if (value === undefined) break;
      text += utf8.decode(value, { stream: true });
    }
  } catch {
    // The code says enough; without the rest of the body only the explanation is missing.
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  return text;
}

/**
 * Returns the milliseconds that a Retry-After header asks for: a number of seconds, or an HTTP date
 * (RFC 9110 §10.2.3).
 */
function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
