import { createInvalidOptionError } from "@listwatch/core-fifo/base";

/**
 * Returns the base address of an API server without trailing slashes.
 *
 * @throws {InvalidOptionsError} if no request could reach it, which would otherwise look like a
 *   failing network
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
  // An empty query does not appear in the URL, but would still end the path.
  return url.username === "" && url.password === "" && !/[?#@]/.test(server);
}

/**
 * Returns an address without secrets: user information, query and fragment. An address that cannot
 * be parsed may contain credentials anywhere, and is not shown.
 */
export function describeAddress(text: string, base?: string): string {
  const url = parse(text, base);
  if (url !== undefined && url.host !== "") {
    const secretless = `${url.protocol}//${url.host}${url.pathname}`;
    const hidden = url.username !== "" || url.password !== "" ? "…@" : "";
    const rest = url.search !== "" || url.hash !== "" ? "…" : "";
    if (!secretless.includes("@")) return secretless.replace("//", `//${hidden}`) + rest;
  }
  // A fullwidth @ is an @ to the person who typed it, and the text in place of a port may be the
  // password of an address without a host.
  const isPlain = !/[@?#]|:(?![\\/])(?!\d*(\/|$))/.test(text.normalize("NFKC"));
  return isPlain ? text : "…@…";
}

/**
 * Removes user information from all addresses in a string, in every spelling that URL parsers
 * accept: without slashes, with backslashes, with spaces and line breaks. O(length), because
 * servers choose the string.
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
/** Longest user information, in characters. */
const maxUserLength = 1000;

/** Returns the position of the `@` that ends user information; `undefined` if there is none. */
function endOfUser(text: string, start: number): number | undefined {
  const part = text.slice(start, start + maxUserLength + 1);
  // The last `@` ends it: without a space before it, otherwise without a delimiter.
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
    // Only browsers have a location for relative addresses.
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
