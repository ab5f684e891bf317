import { remembered } from "../base/remembered.ts";

/** k8s.io/apimachinery resource/quantity.go: `splitREString`. */
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+|[numkMGTPE]|[KMGTPE]i)?$/;
/** The server's message about an invalid quantity. */
export const quantityProblem =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const simple = /^(?:0|[1-9]\d{0,2})(?:m|[kMGTPE]|[KMGTPE]i)?$/;

/** A parsed quantity; `nanos` is its value in billionths. */
interface Parts {
  readonly nanos: bigint;
  readonly form: "decimal" | "binary" | "exponent";
}

/**
 * Returns the canonical form of a quantity: the shortest string with the same kind of suffix.
 * Rounds up to a billionth. Undefined for an invalid quantity.
 */
export function canonicalQuantity(text: string): string | undefined {
  // Fast path: most quantities are short and canonical. From 1000 on they need parsing.
  if (simple.test(text) && text[0] !== "0") return text;
  const parts = parse(text);
  if (parts === undefined) return undefined;
  return format(parts);
}

const nanosPerMilli = 1_000_000n;

/** Rounds a quantity up to a thousandth. */
export function roundedQuantity(text: string): string {
  if (simple.test(text)) return text;
  const parts = parse(text);
  if (parts === undefined || parts.nanos % nanosPerMilli === 0n) return text;
  const { form, nanos } = parts;
  const above = nanos > 0n ? 1n : 0n;
  return format({ form, nanos: (nanos / nanosPerMilli + above) * nanosPerMilli });
}

const wholeNumber = /^(\d+)([numkMGTPE]|[KMGTPE]i)?$/;
/** Values of the suffixes in billionths. */
const units: ReadonlyMap<string, bigint> = new Map([
  ...decimalSuffixes.map((suffix, step) => [suffix, 1000n ** BigInt(step)] as const),
  ...binarySuffixes.map((suffix, step) => [suffix, 1024n ** BigInt(step) * 1000n ** 3n] as const),
]);

/** Returns the value of a quantity in billionths; undefined for an invalid quantity. */
export const quantityNanos: (text: string) => bigint | undefined = remembered((text) => {
  // Fast path for whole numbers with a suffix: a third of the time.
  const match = wholeNumber.exec(text);
  const unit = match === null ? undefined : units.get(match[2] ?? "");
  return unit === undefined ? parse(text)?.nanos : BigInt(match?.[1] ?? "") * unit;
});

function parse(text: string): Parts | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", suffix = ""] = match;
  if (whole === "" && fraction === "") return undefined;
  const digits = BigInt(`${whole}${fraction}` || "0");
  const scale = -fraction.length;
  // Go's `strconv.ParseInt` accepts at most this many digits.
  if (exponentText(suffix).length > 20) return undefined;
  const nanos = /i$/.test(suffix)
    ? scaled(digits << BigInt(10 * binarySuffixes.indexOf(suffix)), scale + 9)
    : scaled(digits, scale + 9 + exponentOf(suffix));
  const form = /i$/.test(suffix) ? "binary" : /^[eE][+-]?\d/.test(suffix) ? "exponent" : "decimal";
  return { nanos: sign === "-" ? -nanos : nanos, form };
}

function exponentOf(suffix: string): number {
  if (/^[eE][+-]?\d/.test(suffix)) return Number(exponentText(suffix));
  return (decimalSuffixes.indexOf(suffix) - 3) * 3;
}

function exponentText(suffix: string): string {
  return /^[eE]\+?(-?\d+)$/.exec(suffix)?.[1] ?? "0";
}

/** A few characters with a greater exponent could create numbers that fill memory. */
const maxExponent = 1000;
/** `maxAllowed` of quantity.go, in billionths. */
const maxNanos = (2n ** 63n - 1n) * 1_000_000_000n;

// Rounds up, like the server.
function scaled(digits: bigint, exponent: number): bigint {
  if (digits === 0n) return 0n;
  if (exponent > maxExponent) return maxNanos;
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  // With a divisor longer than the number, the result is rounded up to one.
  if (-exponent > maxExponent && -exponent > digits.toString().length) return 1n;
  const divisor = 10n ** BigInt(-exponent);
  return (digits + divisor - 1n) / divisor;
}

function format({ form, nanos }: Parts): string {
  if (nanos === 0n) return "0";
  const sign = nanos < 0n ? "-" : "";
  const value = nanos < 0n ? -nanos : nanos;
  const isWhole = value % 1_000_000_000n === 0n;
  // Binary suffixes start at 1024; smaller values and fractions use decimal ones.
  if (form === "binary" && isWhole && value >= 1024n * 1_000_000_000n) {
    return sign + formatBinary(value / 1_000_000_000n);
  }
  let rest = value;
  let step = 0;
  while (rest % 1000n === 0n && step < decimalSuffixes.length - 1) {
    rest /= 1000n;
    step++;
  }
  const exponent = (step - 3) * 3;
  if (form === "exponent") return `${sign}${rest}${exponent === 0 ? "" : `e${exponent}`}`;
  return `${sign}${rest}${decimalSuffixes[step] ?? ""}`;
}

function formatBinary(value: bigint): string {
  let rest = value;
  let step = 0;
  while (rest % 1024n === 0n && step < binarySuffixes.length - 1) {
    rest /= 1024n;
    step++;
  }
  return `${rest}${binarySuffixes[step] ?? ""}`;
}
