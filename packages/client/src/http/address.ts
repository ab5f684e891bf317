import { createInvalidOptionError } from "@listwatch/core-fifo/base";

/**
 * Returns the base address of an API server without slashes at its end.
 *
 * @throws {InvalidOptionsError} if no request could ever reach it, which would look like a network
 *   that always fails
 */
export function checkServer(server: unknown): string {
  if (typeof server === "string" && isUsable(server)) return server.replace(/\/+$/, "");
  throw createInvalidOptionError(
    "server",
    "an http or https address without credentials, query and fragment",
    typeof server === "string" ? describeAddress(server) : server,
  );
}

function isUsable(server: string): boolean {
  const url = parse(server);
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  // An empty query is none in the URL, and yet would end the path.
  return url.username === "" && url.password === "" && !/[?#@]/.test(server);
}

/**
 * An address without what may be secret in it: user information, query and fragment. What a parser
 * of addresses does not understand, and might still hold credentials, is not shown at all.
 */
export function describeAddress(text: string, base?: string): string {
  const url = parse(text, base);
  if (url !== undefined && url.host !== "") {
    const secretless = `${url.protocol}//${url.host}${url.pathname}`;
    const hidden = url.username !== "" || url.password !== "" ? "…@" : "";
    const rest = url.search !== "" || url.hash !== "" ? "…" : "";
    if (!secretless.includes("@")) return secretless.replace("//", `//${hidden}`) + rest;
  }
  // A wide commercial at is one to a person who typed it, and what stands for a port may be the
  // password of an address whose host is missing.
  const isPlain = !/[@?#]|:(?![\\/])(?!\d*(\/|$))/.test(text.normalize("NFKC"));
  return isPlain ? text : "…@…";
}

/**
 * A text without user information in the addresses that it contains, in every spelling that parsers
 * of addresses take: without slashes, with backslashes, with spaces and line breaks. O(length),
 * since servers choose the text.
 */
export function withoutUserInformation(text: string): string {
  if (!text.includes("@")) return text;
  let shown = "";
  let position = 0;
  let next = 0;
  for (const { index, 0: start } of text.matchAll(addressStart)) {
    if (index < position) continue;
    const from = index + start.length;
    if (next < from) next = text.indexOf("@", from);
    if (next < 0) break;
    const end = next > from + maxUserLength ? undefined : endOfUser(text, from);
    if (end === undefined) continue;
    shown += `${text.slice(position, from)}…`;
    position = end;
  }
  return shown + text.slice(position);
}

const addressStart =
  /(?:\b(?:https?|wss?|ftp|socks\w{0,2})[\t\r\n]*:|[\\/][\t\r\n]*[\\/])[\\/\t\r\n]*/gi;
/** User information that is longer than this is none. */
const maxUserLength = 1000;

/** Where the `@` is that ends user information; `undefined` if there is none. */
function endOfUser(text: string, start: number): number | undefined {
  const part = text.slice(start, start + maxUserLength + 1);
  // It ends with the last one: without a space before it, else without a delimiter.
  for (const delimiter of [/\s/, /[\\/?#]/]) {
    const end = part.search(delimiter);
    const at = (end < 0 ? part : part.slice(0, end)).lastIndexOf("@");
    if (at >= 0) return start + at;
  }
  return undefined;
}

function parse(
  text: string,
  base: string | undefined = globalThis.location?.href,
): URL | undefined {
  try {
    // Only browsers have a location to which an address can be relative.
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
