import { isJsonEqual } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { compareBytes } from "../base/go-text.ts";
import { invalid, notSupported, required } from "./field-errors.ts";
import { checkDnsSubdomain, checkPortName, type NameRule } from "./names.ts";

/**
 * Rules of values that many kinds share. Each function returns errors with the real server's
 * messages. Absent values are valid unless a function documents otherwise.
 */

// k8s.io/apimachinery util/validation: `percentErrMsg`.
const percentProblem =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
const maxPort = 65_535;

/** Checks a string by a naming rule. */
export function checkText(field: string, value: string, rule: NameRule): FieldError[] {
  return rule(value).map((why) => invalid(field, value, why));
}

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const path = new RegExp(`^${pathPattern}$`);

/** Checks a path after a domain: k8s.io/apimachinery util/validation, `IsDomainPrefixedPath`. */
export function checkDomainPath(field: string, value: string): FieldError[] {
  if (value === "") return [required(field)];
  const slash = value.indexOf("/");
  const [domain, rest] = [value.slice(0, slash), value.slice(slash + 1)];
  if (slash < 1 || rest === "") {
    return [invalid(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = checkText(field, domain, checkDnsSubdomain);
  if (path.test(rest)) return errors;
  const problem = `Invalid path (regex used for validation is '${pathPattern}')`;
  return [...errors, invalid(field, rest, problem)];
}

/** Checks that a number is not negative. */
export function checkNotNegative(field: string, value: unknown): FieldError[] {
  return checkLeast(field, value, 0, "must be greater than or equal to 0");
}

/** Checks that a number is at least `least`; `problem` is the server's message. */
export function checkLeast(
  field: string,
  value: unknown,
  least: number,
  problem: string,
): FieldError[] {
  return typeof value === "number" && value < least ? [invalid(field, value, problem)] : [];
}

/** Checks a port number. */
export function checkPortNumber(field: string, value: unknown): FieldError[] {
  const port = typeof value === "number" ? value : 0;
  if (port >= 1 && port <= maxPort) return [];
  return [invalid(field, port, `must be between 1 and ${maxPort}, inclusive`)];
}

/** Checks the number or name of a port. */
export function checkPort(field: string, value: unknown): FieldError[] {
  if (typeof value === "string") return checkText(field, value, checkPortName);
  return checkPortNumber(field, value);
}

/** Checks one of a few words. With "required", an absent or empty value is an error. */
export function checkWord(
  field: string,
  value: unknown,
  words: readonly string[],
  absent: "required" | "allowed" = "allowed",
): FieldError[] {
  if (value === undefined || value === "") return absent === "allowed" ? [] : [required(field)];
  return checkListed(field, value, words.toSorted(compareBytes));
}

/** Checks one of a few words of a field that is a pointer in Go, where "" is none of them. */
export function checkChoice(field: string, value: unknown, words: readonly string[]): FieldError[] {
  return value === undefined ? [] : checkListed(field, value, words.toSorted(compareBytes));
}

/** Checks one of a few words, listed in this order in the message. "" is invalid. */
export function checkListed(field: string, value: unknown, words: readonly string[]): FieldError[] {
  const word = value ?? "";
  return typeof word === "string" && words.includes(word) ? [] : [notSupported(field, word, words)];
}

/** Checks a count or a percentage. */
export function checkCountOrPercent(field: string, value: unknown): FieldError[] {
  if (typeof value !== "string") return checkNotNegative(field, value);
  if (!/^\d+%$/.test(value)) return [invalid(field, value, percentProblem)];
  return [];
}

/** Checks that a percentage is at most 100 %. */
export function checkMostPercent(field: string, value: unknown): FieldError[] {
  if (typeof value !== "string" || !/^\d+%$/.test(value)) return [];
  const isMore = Number(value.slice(0, -1)) > 100;
  return isMore ? [invalid(field, value, "must not be greater than 100%")] : [];
}

/** Checks that an update does not change a value. */
export function checkImmutable(field: string, value: unknown, stored: unknown): FieldError[] {
  if (isJsonEqual(value, stored)) return [];
  return [invalid(field, value ?? null, "field is immutable")];
}
