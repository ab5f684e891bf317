import { readStatusBody } from "../wire/read-status.ts";

/** Bytes; no Status is longer. */
const maxStatusLength = 64 * 1024;

/**
 * Reads the Status in the body of a response that is protobuf.
 *
 * @returns `undefined` if the body is none, or breaks off
 */
export async function readStatusOf(
  response: Response,
): Promise<Record<string, unknown> | undefined> {
  const bytes = new Uint8Array(maxStatusLength);
  const reader = response.body?.getReader();
  let length = 0;
  try {
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) return readStatusBody(bytes.subarray(0, length));
      if (length + value.length > maxStatusLength) return undefined;
      bytes.set(value, length);
      length += value.length;
    }
  } catch {
    // The code says enough; without the body only the explanation is missing.
    return undefined;
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
}
