import { describeValue, InvalidOptionsError } from "@listwatch/core-fifo";

/**
 * The base address of an API server without slashes at its end.
 *
 * @throws {InvalidOptionsError} if no request could ever reach it: that would look like a network
 *   that fails for ever
 */
export function checkedServer(server: unknown): string {
  if (typeof server === "string" && isUsable(server)) return server.replace(/\/+$/, "");
  // Credentials do not belong in a log.
  const shown = typeof server === "string" ? server.replace(/\/\/.*@/, "//…@") : server;
  throw new InvalidOptionsError(
    `Couldn't use the option server: expected an http or https address without credentials, query and fragment, got ${describeValue(shown)}`,
  );
}

function isUsable(server: string): boolean {
  // Only browsers have a place from which an address can be relative.
  const base: string | undefined = globalThis.location?.href;
  let url: URL;
  try {
    url = new URL(server, base);
  } catch {
    return false;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return false;
  // An empty query is none in the URL, and yet would end the path.
  return url.username === "" && url.password === "" && !/[?#]/.test(server);
}
