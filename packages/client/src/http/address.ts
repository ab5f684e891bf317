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
  // A wide commercial at is one to a person who typed it.
  return /[@?#]/.test(text.normalize("NFKC")) ? "…@…" : text;
}

/**
 * A text without user information in the addresses that it contains, in every spelling that parsers
 * of addresses take: without slashes, with backslashes, with spaces and line breaks.
 */
export function withoutUserInformation(text: string): string {
  return text.includes("@") ? text.replace(userInformation, "$1…@") : text;
}

const userInformation =
  /((?:\b(?:https?|wss?|ftp|socks\w{0,2})[\t\r\n]*:|[\\/][\t\r\n]*[\\/])[\\/\t\r\n]*)(?:\S{0,1000}|[^\\/?#]{0,1000})@/gi;

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
