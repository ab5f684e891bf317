const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
// The default of `timeoutSeconds` in apiextensions and admissionregistration is 10 s at most 30 s.
const defaultTimeoutMs = 10_000;

/**
 * Time for a handler, in milliseconds: the server's `?timeout=`, such as `10s`, minus a margin in
 * which the answer returns. At least half of the server's time.
 */
export function timeLimitOf(url: string, marginMs: number): number {
  const text = new URL(url).searchParams.get("timeout") ?? "";
  const timeoutMs = parseDuration(text) ?? defaultTimeoutMs;
  return Math.max(timeoutMs - marginMs, timeoutMs / 2);
}

// The form that Go's time.Duration has as a string, such as `1m30s` or `1.5s`.
function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    sum += Number(amount) * unitsMs[unit!]!;
  }
  return sum > 0 ? sum : undefined;
}
