/**
 * String formats of CRD schemas (k8s.io/apiextensions-apiserver 0.36, validation/formats.go). Names
 * are without dashes: `date-time` equals `datetime`. Other formats are ignored.
 */
const stringFormats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", matches(/^[0-9a-fA-F]{24}$/)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  ["mac", isMac],
  ["uuid", matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid3", matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid4", matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["uuid5", matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["isbn", (text: string): boolean => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ["hexcolor", matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", isRgbColor],
  ["byte", isBase64],
  ["password", (): boolean => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
  ["k8sshortname", (text: string): boolean => isName(text, 63, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)],
  [
    "k8slongname",
    (text: string): boolean =>
      isName(text, 253, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/),
  ],
]);
const integerFormats: ReadonlySet<string> = new Set(["int32", "int64"]);
const numberFormats: ReadonlySet<string> = new Set(["float", "double"]);

/** Returns the format if the server supports it for the type, otherwise "". */
export function supportedFormat(type: string, format: string | undefined): string {
  if (format === undefined || format === "") return "";
  if (type === "integer") return integerFormats.has(format) ? format : "";
  if (type === "number") return numberFormats.has(format) ? format : "";
  if (type !== "" && type !== "string") return "";
  return stringFormats.has(normalized(format)) ? format : "";
}

/** Whether a string has a format. True for formats of other types. */
export function hasFormat(text: string, format: string): boolean {
  return stringFormats.get(normalized(format))?.(text) ?? true;
}

function normalized(format: string): string {
  return format.replaceAll("-", "");
}

function matches(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

function isName(text: string, max: number, pattern: RegExp): boolean {
  return text.length <= max && pattern.test(text);
}

/** Same as Go's `url.ParseRequestURI`: an absolute path or a URI with a scheme. */
function isRequestUri(text: string): boolean {
  // Control characters, spaces and malformed percent escapes are refused.
  if (!/^[^\p{Cc} ]+$/u.test(text) || /%(?![0-9a-fA-F]{2})/.test(text)) return false;
  return text.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:./.test(text);
}

const dotAtom = String.raw`[^\s@",:;<>()[\]\\.]+(?:\.[^\s@",:;<>()[\]\\.]+)*`;
const addressPattern = new RegExp(String.raw`^(?:${dotAtom}|"[^"]+")@(?:${dotAtom}|\[[^\]\s]+\])$`);

/** Same as Go's `mail.ParseAddress`: `a@b`, `<a@b>` or `Name <a@b>`. */
function isEmail(text: string): boolean {
  const address = /^(?:[^<>@]*<([^<>]+)>|([^<>]+))$/.exec(text.trim());
  const plain = address?.[1] ?? address?.[2] ?? "";
  return addressPattern.test(plain);
}

/** RFC 1034 with leading digits (RFC 1123) and any letters; a domain ends in letters. */
function isHostname(text: string): boolean {
  if (text === "" || text.length > 255) return false;
  const labels = text.split(".");
  if (
    !labels.every((label) =>
      /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?$/u.test(label),
    )
  ) {
    return false;
  }
  return labels.length === 1 || /^[a-zA-Z\p{L}]{2,63}$/u.test(labels.at(-1) ?? "");
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  // Leading zeros are accepted, like in Kubernetes' own parser.
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  if (!text.includes(":")) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === "") continue;
    const parts = half.split(":");
    const last = parts.at(-1) ?? "";
    const hasIpv4 = index === halves.length - 1 && last.includes(".");
    if (hasIpv4 && !isIpv4(last)) return false;
    const hex = hasIpv4 ? parts.slice(0, -1) : parts;
    if (!hex.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return false;
    groups += hex.length + (hasIpv4 ? 2 : 0);
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

function isCidr(text: string): boolean {
  const match = /^(.+)\/(0|[1-9]\d{0,2})$/.exec(text);
  if (match === null) return false;
  const [, address = "", bits = ""] = match;
  if (isIpv4(address)) return Number(bits) <= 32;
  return isIpv6(address) && Number(bits) <= 128;
}

/** 6, 8 or 20 bytes separated by colons or dashes, or byte pairs separated by dots. */
function isMac(text: string): boolean {
  const pairs = /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2})*$/.test(text);
  if (pairs) return [17, 23, 59].includes(text.length);
  const groups = /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text);
  return groups && [14, 19, 49].includes(text.length);
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, "");
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) {
    const digit = digits.charAt(i);
    sum += (i + 1) * (digit === "X" ? 10 : Number(digit));
  }
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 13; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits.charAt(i));
  return sum % 10 === 0;
}

/** Number ranges of the known companies, and the Luhn checksum. */
function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  const known =
    /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;
  if (!known.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits.charAt(digits.length - 1 - i));
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isRgbColor(text: string): boolean {
  const match = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return match !== null && match.slice(1).every((part) => Number(part) <= 255);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** An RFC 3339 full-date that exists in the calendar. */
function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [, year = "", month = "", day = ""] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** RFC 3339 date-time; the offset is optional (ISO 8601 local time). */
function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const match =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))?$/.exec(
      text,
    );
  if (match === null) return false;
  const [, date = "", hour = "", minute = "", second = "", offsetHour = "0", offsetMinute = "0"] =
    match;
  return (
    isDate(date) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHour) < 24 &&
    Number(offsetMinute) < 60
  );
}

/** Go's `time.ParseDuration` ("1h30m"), or a number with a unit name ("22 ns", "3 weeks"). */
function isDuration(text: string): boolean {
  const go = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
  const words =
    /^\s*-?\d+\s*(?:ns|nano|nanosecond|us|µs|micro|microsecond|ms|milli|millisecond|s|sec|second|m|min|minute|h|hr|hour|d|day|w|wk|week)s?\s*$/;
  return go.test(text) || words.test(text);
}
