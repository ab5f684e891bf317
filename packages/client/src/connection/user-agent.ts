import { version } from "./version.ts";

/**
 * Returns the value of `User-Agent`: the program, this library, and the runtime. The server records
 * the part before the first slash as the field manager of writes without one.
 */
export function userAgentOf(program: string | undefined): string {
  const runtime = globalThis.navigator?.userAgent ?? "unknown";
  const library = `listwatch/${version} (${runtime.replaceAll(/[^\x20-\x7e]|[()]/g, "")})`;
  return program === undefined ? library : `${program} ${library}`;
}
