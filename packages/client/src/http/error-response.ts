import { StatusError } from "../errors/status-error.ts";
import { isStatus, reasonOfCode, type Status } from "../errors/status.ts";

/** No Status is longer; what is longer is a page of a proxy, of which the beginning suffices. */
const maxErrorBody = 64 * 1024;

/**
 * The error that a response with a code other than 2xx stands for: its Status, or one made of code
 * and body.
 */
export async function statusErrorFrom(
  response: Response,
  attempted: string,
  now: number,
): Promise<StatusError> {
  const retryAfterMs = parseRetryAfter(response.headers.get("retry-after"), now);
  const text = await beginningOf(response);
  return new StatusError(statusIn(text) ?? genericStatus(response, attempted, text), {
    retryAfterMs,
  });
}

function statusIn(text: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStatus(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function genericStatus(response: Response, attempted: string, text: string): Status {
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

async function beginningOf(response: Response): Promise<string> {
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
    // The code says enough; a body that breaks off only takes the explanation away.
  } finally {
    void reader.cancel().catch(() => undefined);
  }
  return text;
}

/**
 * Milliseconds that a Retry-After header asks for: a number of seconds or an HTTP date (RFC 9110
 * §10.2.3).
 */
function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
