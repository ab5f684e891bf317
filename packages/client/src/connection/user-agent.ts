import { version } from "./version.ts";

/**
 * The value of `User-Agent`: the program, this library, and the runtime. The server records what
 * stands before the first slash as the field manager of writes that name none.
 */
export function userAgentOf(program: string | undefined): string {
  const runtime = globalThis.navigator?.userAgent ?? "unknown";
  const library = `listwatch/${version} (${runtime.replaceAll(/[^\x20-\x7e]|[()]/g, "")})`;
  return program === undefined ? library : `${program} ${library}`;
}
