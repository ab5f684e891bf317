// Rules for label keys and values: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/

const maxNameLength = 63;
const maxPrefixLength = 253;
const namePattern = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
// RFC 1123 §2.1: letters, digits and inner dashes; subdomains are such labels joined by dots.
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

const rule = 'letters, digits, "-", "_" and ".", with a letter or digit at both ends';

/** Describes the error in a label key; `undefined` if it is valid. */
export function labelKeyProblem(key: string): string | undefined {
  const parts = key.split("/");
  const name = parts.pop() ?? "";
  const [prefix] = parts;
  let expected = "";
  if (parts.length > 1) expected = "a key with at most one slash";
  else if (prefix !== undefined && !(prefix.length <= maxPrefixLength && subdomain.test(prefix)))
    expected = `a DNS subdomain of at most ${maxPrefixLength} characters before the slash`;
  else if (!isName(name)) expected = `a key of 1 to ${maxNameLength} ${rule}`;
  return expected === "" ? undefined : `expected ${expected}, got ${JSON.stringify(key)}`;
}

/** Describes the error in a label value; `undefined` if it is valid. */
export function labelValueProblem(value: string): string | undefined {
  if (value === "" || isName(value)) return undefined;
  return `expected a value of at most ${maxNameLength} ${rule}, got ${JSON.stringify(value)}`;
}

function isName(text: string): boolean {
  return text.length <= maxNameLength && namePattern.test(text);
}

/**
 * Parses a decimal 64-bit integer, the operand of `>` and `<`; `undefined` if the string is not
 * one.
 */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  // BigInt() rejects a plus sign.
  const integer = BigInt(text.replace("+", ""));
  return integer === BigInt.asIntN(64, integer) ? integer : undefined;
}
