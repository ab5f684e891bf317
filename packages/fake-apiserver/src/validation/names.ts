import { exceedsBytes } from "../base/go-text.ts";

/**
 * The syntax rules of names, label keys and label values. Each function returns what is wrong, in
 * the words of k8s.io/apimachinery 0.36, and an empty list for a valid value.
 *
 * The older rules (object names) count "characters", the newer ones (label keys and values)
 * "bytes"; both mean bytes of UTF-8.
 */
export type NameRule = (name: string) => readonly string[];

const DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`;
const DNS_1035_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const LABEL_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${LABEL_NAME})?`;

const DNS_LABEL_PATTERN = new RegExp(`^${DNS_LABEL}$`);
const DNS_SUBDOMAIN_PATTERN = new RegExp(`^${DNS_SUBDOMAIN}$`);
const DNS_1035_LABEL_PATTERN = new RegExp(`^${DNS_1035_LABEL}$`);
const LABEL_NAME_PATTERN = new RegExp(`^${LABEL_NAME}$`);
const LABEL_VALUE_PATTERN = new RegExp(`^${LABEL_VALUE}$`);

/** RFC 1123 and RFC 1035 labels, and the name part of label keys and label values. */
const MAX_LABEL = 63;
/** RFC 1123 subdomain. */
const MAX_SUBDOMAIN = 253;

const SUBDOMAIN_TEXT = patternText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  DNS_SUBDOMAIN,
  ["example.com"],
);
const LABEL_TEXT = patternText(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  DNS_LABEL,
  ["my-name", "123-abc"],
);
const DNS_1035_TEXT = patternText(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  DNS_1035_LABEL,
  ["my-name", "abc-123"],
);
const LABEL_KEY_TEXT = patternText(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_NAME,
  ["MyName", "my.name", "123-abc"],
);
const LABEL_VALUE_TEXT = patternText(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  LABEL_VALUE,
  ["MyValue", "my_value", "12345"],
);

function patternText(rule: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${quoted}regex used for validation is '${pattern}')`;
}

/** Names that must be a DNS subdomain (most objects). */
export function checkDnsSubdomain(name: string): readonly string[] {
  return check(name, MAX_SUBDOMAIN, "characters", DNS_SUBDOMAIN_PATTERN, SUBDOMAIN_TEXT);
}

/** Names that must be a DNS label of RFC 1123 (namespaces). */
export function checkDnsLabel(name: string): readonly string[] {
  return check(name, MAX_LABEL, "characters", DNS_LABEL_PATTERN, LABEL_TEXT);
}

/** Names that must be a DNS label of RFC 1035 (services, parts of a CRD's names). */
export function checkDns1035Label(name: string): readonly string[] {
  return check(name, MAX_LABEL, "characters", DNS_1035_LABEL_PATTERN, DNS_1035_TEXT);
}

/** Names that only have to be one segment of a path (RBAC). */
export function checkPathSegment(name: string): readonly string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"]
    .filter((part) => name.includes(part))
    .map((part) => `may not contain '${part}'`);
}

/** Label keys, annotation keys and finalizers: an optional subdomain, a slash and a name. */
export function checkQualifiedName(key: string): readonly string[] {
  const parts = key.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${LABEL_KEY_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? "";
  const problems: string[] = [];
  if (parts.length === 2) problems.push(...checkPrefix(parts[0] ?? ""));
  if (name === "") problems.push("name part must be non-empty");
  else if (exceedsBytes(name, MAX_LABEL))
    problems.push(`name part ${tooLongText(MAX_LABEL, "bytes")}`);
  if (!LABEL_NAME_PATTERN.test(name)) problems.push(`name part ${LABEL_KEY_TEXT}`);
  return problems;
}

function checkPrefix(prefix: string): readonly string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  const problems = check(prefix, MAX_SUBDOMAIN, "bytes", DNS_SUBDOMAIN_PATTERN, SUBDOMAIN_TEXT);
  return problems.map((problem) => `prefix part ${problem}`);
}

/** Values of labels. */
export function checkLabelValue(value: string): readonly string[] {
  return check(value, MAX_LABEL, "bytes", LABEL_VALUE_PATTERN, LABEL_VALUE_TEXT);
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
