import { exceedsBytes } from "../base/go-text.ts";
import { remembered } from "../base/remembered.ts";

/**
 * Syntax rules of names, label keys and label values. Each function returns the messages of
 * k8s.io/apimachinery 0.36, an empty list for a valid value.
 *
 * Older rules (object names) count "characters", newer ones (label keys and values) "bytes". Both
 * mean bytes of UTF-8.
 */
export type NameRule = (name: string) => readonly string[];

const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dnsSubdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const dns1035Label = "[a-z]([-a-z0-9]*[a-z0-9])?";
const labelName = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValue = `(${labelName})?`;

const searchLabel = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const search = `${searchLabel}(\\.${searchLabel})*`;
const searchPattern = new RegExp(`^${search}$`);

const dnsLabelPattern = new RegExp(`^${dnsLabel}$`);
const dnsSubdomainPattern = new RegExp(`^${dnsSubdomain}$`);
const caselessPattern = new RegExp(dnsSubdomainPattern, "i");
const dns1035LabelPattern = new RegExp(`^${dns1035Label}$`);
const wildcard = `\\*\\.${dnsSubdomain}`;
const configKey = "[-._a-zA-Z0-9]+";
const wildcardPattern = new RegExp(`^${wildcard}$`);
const configKeyPattern = new RegExp(`^${configKey}$`);
const labelNamePattern = new RegExp(`^${labelName}$`);
const labelValuePattern = new RegExp(`^${labelValue}$`);

/** RFC 1123 and RFC 1035 labels, and names in label keys and values. */
const maxLabel = 63;
/** RFC 1123 subdomain. */
const maxSubdomain = 253;
/** RFC 6335 service name. */
const maxPortName = 15;

const subdomainText = patternText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  dnsSubdomain,
  ["example.com"],
);
const searchText = patternText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  search,
  ["example.com"],
);
const caselessText = patternText(
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  dnsSubdomain,
  ["Example.com"],
);
const labelText = patternText(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  dnsLabel,
  ["my-name", "123-abc"],
);
const dns1035Text = patternText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  dns1035Label,
  ["my-name", "abc-123"],
);
const wildcardText = patternText(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  wildcard,
  ["*.example.com"],
);
const configKeyText = patternText(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  configKey,
  ["key.name", "KEY_NAME", "key-name"],
);
const labelKeyText = patternText(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelName,
  ["MyName", "my.name", "123-abc"],
);
const labelValueText = patternText(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValue,
  ["MyValue", "my_value", "12345"],
);

function patternText(rule: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

/** Checks a name that must be a DNS subdomain (most objects). */
export function checkDnsSubdomain(name: string): readonly string[] {
  return check(name, maxSubdomain, "characters", dnsSubdomainPattern, subdomainText);
}

/** Checks a domain in which names are looked up: it may have underscores. */
export function checkSearchDomain(name: string): readonly string[] {
  return check(name, maxSubdomain, "characters", searchPattern, searchText);
}

/** Checks a DNS subdomain in letters of any case. */
export function checkCaselessSubdomain(name: string): readonly string[] {
  return check(name, maxSubdomain, "bytes", caselessPattern, caselessText);
}

/** Checks a name that must be an RFC 1123 DNS label (namespaces, services). */
export function checkDnsLabel(name: string): readonly string[] {
  // Only the dots prevent a subdomain from being a label, so the server reports just them.
  const hasDots = name.includes(".") && dnsSubdomainPattern.test(name);
  const problem = hasDots ? "must not contain dots" : labelText;
  return check(name, maxLabel, "characters", dnsLabelPattern, problem);
}

/** Checks a host of the form `*.example.com`. */
export function checkWildcardSubdomain(name: string): readonly string[] {
  return check(name, maxSubdomain, "characters", wildcardPattern, wildcardText);
}

/** Checks a name that must be an RFC 1035 DNS label (services, names of a CRD). */
export function checkDns1035Label(name: string): readonly string[] {
  return check(name, maxLabel, "characters", dns1035LabelPattern, dns1035Text);
}

/** Checks a key of a config map or secret, which becomes a file name. */
export function checkConfigKey(key: string): readonly string[] {
  const problems = [...check(key, maxSubdomain, "characters", configKeyPattern, configKeyText)];
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
}

/** Checks a port name (RFC 6335). */
export function checkPortName(name: string): readonly string[] {
  const problems: string[] = [];
  if (exceedsBytes(name, maxPortName)) problems.push(tooLongText(maxPortName, "characters"));
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (/^-|-$/.test(name)) problems.push("must not begin or end with a hyphen");
  return problems;
}

/** Checks a name that must be one path segment (RBAC). */
export function checkPathSegment(name: string): readonly string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"]
    .filter((part) => name.includes(part))
    .map((part) => `may not contain '${part}'`);
}

/**
 * Checks a label key, annotation key or finalizer: a name, optionally after a subdomain and a
 * slash.
 */
export const checkQualifiedName: NameRule = remembered((key) => {
  const parts = key.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${labelKeyText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? "";
  const problems: string[] = [];
  if (parts.length === 2) problems.push(...checkPrefix(parts[0] ?? ""));
  if (name === "") problems.push("name part must be non-empty");
  else if (exceedsBytes(name, maxLabel))
    problems.push(`name part ${tooLongText(maxLabel, "bytes")}`);
  if (!labelNamePattern.test(name)) problems.push(`name part ${labelKeyText}`);
  return problems;
});

function checkPrefix(prefix: string): readonly string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  const problems = check(prefix, maxSubdomain, "bytes", dnsSubdomainPattern, subdomainText);
  return problems.map((problem) => `prefix part ${problem}`);
}

/** Checks a label value. */
export function checkLabelValue(value: string): readonly string[] {
  return check(value, maxLabel, "bytes", labelValuePattern, labelValueText);
}

function check(
  text: string,
  max: number,
  unit: "bytes" | "characters",
  pattern: RegExp,
  patternMessage: string,
): readonly string[] {
  const problems: string[] = [];
  if (exceedsBytes(text, max)) problems.push(tooLongText(max, unit));
  if (!pattern.test(text)) problems.push(patternMessage);
  return problems;
}

function tooLongText(max: number, unit: "bytes" | "characters"): string {
  return `must be no more than ${max} ${unit}`;
}

/**
 * Prepares a `generateName` for the rules: a trailing dash is fine because a suffix follows
 * (k8s.io/apimachinery, api/validation, maskTrailingDash, which removes one character too many
 * without changing the result).
 */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}
