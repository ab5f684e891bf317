import { isRecord } from "@listwatch/core-fifo/base";

/**
 * Returns the expiry of an ID token, in milliseconds since 1970: the claim `exp` of a JSON Web
 * Token (RFC 7519 §4.1.4). `undefined` if the string is not such a token.
 */
export function endOfIdToken(token: string): number | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    const text = atob((parts[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const claims: unknown = JSON.parse(text);
    const end = isRecord(claims) ? claims["exp"] : undefined;
    return typeof end === "number" && Number.isFinite(end) ? end * 1000 : undefined;
  } catch {
    return undefined;
  }
}
