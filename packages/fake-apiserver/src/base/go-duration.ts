const nsPerMs = 1_000_000n;
const units: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1000n],
  // The micro sign and the Greek letter mu.
  ["\u00b5s", 1000n],
  ["\u03bcs", 1000n],
  ["ms", nsPerMs],
  ["s", 1000n * nsPerMs],
  ["m", 60_000n * nsPerMs],
  ["h", 3_600_000n * nsPerMs],
]);
const maxNs = 2n ** 63n - 1n;
const utf8 = new TextEncoder();

/**
 * Parses a duration such as `1m30s` like Go's `time.ParseDuration`.
 *
 * @returns milliseconds, or Go's error message
 */
export function parseDuration(text: string): number | string {
  const invalid = `time: invalid duration ${quote(text)}`;
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  let rest = text.slice(sign.length);
  if (rest === "0") return 0;
  if (rest === "") return invalid;
  let ns = 0n;
  while (rest !== "") {
    const {
      all = "",
      whole = "",
      part = "",
      unit = "",
    } = /^(?<all>(?<whole>\d*)(?:\.(?<part>\d*))?(?<unit>[^.\d]*))/.exec(rest)?.groups ?? {};
    if (whole + part === "") return invalid;
    if (unit === "") return `time: missing unit in duration ${quote(text)}`;
    const factor = units.get(unit);
    if (factor === undefined) {
      return `time: unknown unit ${quote(unit)} in duration ${quote(text)}`;
    }
    // Further digits are below a nanosecond.
    const digits = part.slice(0, 18);
    ns += (BigInt(whole + digits) * factor) / 10n ** BigInt(digits.length);
    if (ns > maxNs) return invalid;
    rest = rest.slice(all.length);
  }
  const milliseconds = Number(ns) / Number(nsPerMs);
  return sign === "-" ? -milliseconds : milliseconds;
}

// Quotes like Go's package time, which escapes the bytes of non-ASCII characters.
function quote(text: string): string {
  const escaped = text
    .replaceAll(/["\\]/g, "\\$&")
    .replaceAll(/[^ -~]/gu, (character) =>
      Array.from(utf8.encode(character), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(
        "",
      ),
    );
  return `"${escaped}"`;
}
