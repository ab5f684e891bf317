import { isStatus, StatusError } from "@listwatch/client";

/** The error that a response with a code other than 2xx stands for. */
export async function refusal(response: Response, attempted: string): Promise<StatusError> {
  const seconds = response.headers.get("retry-after");
  const retryAfterMs =
    seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
  let body: unknown;
  try {
    body = await response.json();
  } catch {
    // A proxy's page, or a body that broke off: the code has to say enough.
  }
  const status = isStatus(body)
    ? body
    : { code: response.status, message: `${attempted}: the server answered ${response.status}` };
  return new StatusError(status, { retryAfterMs });
}
