import type { Clock, Log } from "@listwatch/core-fifo/base";

/** A warning of the server: `Warning` of RFC 7234 with code 299, RFC 9110 §5.5. */
export interface Warning {
  /** Sentence for people, such as that an API version is deprecated. */
  readonly text: string;
  /** HTTP method of the request that caused the warning. */
  readonly method: string;
  /** Path of the request, without query. */
  readonly path: string;
}

/**
 * Returns the texts of a `Warning` header: several entries, each with a code, an agent and a quoted
 * text, in which quotes and backslashes are escaped. Malformed entries are skipped.
 */
export function parseWarnings(header: string): readonly string[] {
  const entry = /(?:^|,)\s*299\s+\S+\s+"((?:[^"\\]|\\.)*)"/g;
  return [...header.matchAll(entry)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
}

/** Time in which a warning is logged once, in milliseconds. */
const repeatMs = 10 * 60_000;
/** Maximum number of remembered texts. Some contain names, and servers have many objects. */
const maxTexts = 1000;

/** Logs each warning once in ten minutes. */
export function logWarnings(log: Log, clock: Clock): (warning: Warning) => void {
  const saidMs = new Map<string, number>();
  return ({ text, method, path }) => {
    const now = clock.now();
    if (now - (saidMs.get(text) ?? -Infinity) < repeatMs) return;
    saidMs.delete(text);
    saidMs.set(text, now);
    const [oldest] = saidMs.keys();
    if (saidMs.size > maxTexts && oldest !== undefined) saidMs.delete(oldest);
    log.warn("The API server warns", { text, method, path });
  };
}
