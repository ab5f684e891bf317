// Rules for label keys and values: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/

const maxNameLength = 63;
const maxPrefixLength = 253;
const namePattern = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
// RFC 1123 §2.1: letters, digits and inner dashes; subdomains are such labels joined by dots.
const subdomainPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** Describes the error in a label key; `undefined` if it is valid. */
export function labelKeyProblem(key: string): string | undefined {
  const parts = key.split("/");
  const name = parts.pop() ?? "";
  const [prefix] = parts;
  const quoted = JSON.stringify(key);
  if (parts.length > 1) return `expected a key with at most one slash, got ${quoted}`;
  if (prefix !== undefined && (prefix.length > maxPrefixLength || !subdomainPattern.test(prefix))) {
    return `expected a DNS subdomain of at most ${maxPrefixLength} characters before the slash, got ${quoted}`;
  }
  if (name.length > maxNameLength || !namePattern.test(name)) {
    return (
      `expected a key of 1 to ${maxNameLength} letters, digits, "-", "_" and ".", ` +
      `with a letter or digit at both ends, got ${quoted}`
    );
  }
  return undefined;
}

/** Describes the error in a label value; `undefined` if it is valid. */
export function labelValueProblem(value: string): string | undefined {
  if (value === "" || (value.length <= maxNameLength && namePattern.test(value))) return undefined;
  return (
    `expected a value of at most ${maxNameLength} letters, digits, "-", "_" and ".", ` +
    `with a letter or digit at both ends, got ${JSON.stringify(value)}`
  );
}

const minInteger = -(2n ** 63n);
const maxInteger = 2n ** 63n - 1n;

/**
 * Parses a decimal 64-bit integer, the operand of `>` and `<`; `undefined` if the string is not
 * one.
 */
export function parseInteger(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  // BigInt() rejects a plus sign.
  const integer = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return integer < minInteger || integer > maxInteger ? undefined : integer;
}
