const time = "google.protobuf.Timestamp";
const span = "google.protobuf.Duration";
const quantity = "kubernetes.Quantity";
const semver = "kubernetes.Semver";
const url = "kubernetes.URL";
const format = "kubernetes.NamedFormat";
const ip = "net.IP";
const cidr = "net.CIDR";

/** Types of Kubernetes' libraries. */
export const libraryTypes: readonly string[] = [quantity, semver, url, format, ip, cidr];

/** Types that are only the first part of the names of functions, such as `sets.contains`. */
export const namespaceTypes: Readonly<Record<string, string>> = {
  sets: "SetsNamespace",
  lists: "ListsNamespace",
  strings: "StringsNamespace",
  format: "FormatNamespace",
  ip: "IpNamespace",
};

/** Types that expressions name with their package. */
export const qualifiedTypes: Readonly<Record<string, readonly string[]>> = {
  net: ["IP", "CIDR"],
  kubernetes: ["Quantity", "Semver", "URL", "NamedFormat"],
};

const namedFormats = [
  "dns1123Label",
  "dns1123Subdomain",
  "dns1035Label",
  "qualifiedName",
  "dns1123LabelPrefix",
  "dns1123SubdomainPrefix",
  "dns1035LabelPrefix",
  "labelValue",
  "uri",
  "uuid",
  "byte",
  "date",
  "datetime",
];

const ordered = ["int", "uint", "double", "bool", "string", "bytes", time, span];

/** Signatures of functions that the checker of the library lacks. */
export const signatures: readonly string[] = [
  // cel-go's standard library
  `timestamp(${time}): ${time}`,
  `duration(${span}): ${span}`,
  `duration(int): ${span}`,
  `string(${time}): string`,
  `string(${span}): string`,
  `int(${time}): int`,
  `int(${span}): int`,
  "int(uint): int",
  "matches(string, string): bool",
  // cel-go's strings, version 2
  "string.charAt(int): string",
  "string.replace(string, string): string",
  "string.replace(string, string, int): string",
  "string.format(list): string",
  "StringsNamespace.quote(string): string",
  // k8s.io/apiserver cel/library: lists and regex
  ...ordered.flatMap((type) => [
    `list<${type}>.isSorted(): bool`,
    `list<${type}>.min(): ${type}`,
    `list<${type}>.max(): ${type}`,
    `list<${type}>.sort(): list<${type}>`,
  ]),
  ...["int", "uint", "double", span].map((type) => `list<${type}>.sum(): ${type}`),
  "list<A>.indexOf(A): int",
  "list<A>.lastIndexOf(A): int",
  "string.find(string): string",
  "string.findAll(string): list<string>",
  "string.findAll(string, int): list<string>",
  // cel-go's lists, version 3, and sets
  "list<A>.slice(int, int): list<A>",
  "list.flatten(): list<dyn>",
  "list.flatten(int): list<dyn>",
  "ListsNamespace.range(int): list<int>",
  "list<A>.reverse(): list<A>",
  "list<A>.distinct(): list<A>",
  "list<A>.first(): optional<A>",
  "list<A>.last(): optional<A>",
  "SetsNamespace.contains(list<A>, list<A>): bool",
  "SetsNamespace.equivalent(list<A>, list<A>): bool",
  "SetsNamespace.intersects(list<A>, list<A>): bool",
  // urls
  `url(string): ${url}`,
  "isURL(string): bool",
  ...["getScheme", "getHost", "getHostname", "getPort", "getEscapedPath"].map(
    (name) => `${url}.${name}(): string`,
  ),
  `${url}.getQuery(): map<string, list<string>>`,
  // quantity
  `quantity(string): ${quantity}`,
  "isQuantity(string): bool",
  `${quantity}.sign(): int`,
  `${quantity}.isInteger(): bool`,
  `${quantity}.asInteger(): int`,
  `${quantity}.asApproximateFloat(): double`,
  ...["add", "sub"].flatMap((name) => [
    `${quantity}.${name}(${quantity}): ${quantity}`,
    `${quantity}.${name}(int): ${quantity}`,
  ]),
  // semver
  `semver(string): ${semver}`,
  `semver(string, bool): ${semver}`,
  "isSemver(string): bool",
  "isSemver(string, bool): bool",
  ...["major", "minor", "patch"].map((name) => `${semver}.${name}(): int`),
  ...[quantity, semver].flatMap((type) => [
    `${type}.compareTo(${type}): int`,
    `${type}.isGreaterThan(${type}): bool`,
    `${type}.isLessThan(${type}): bool`,
  ]),
  // ip and cidr
  `ip(string): ${ip}`,
  "isIP(string): bool",
  "IpNamespace.isCanonical(string): bool",
  `${ip}.family(): int`,
  ...[
    "isUnspecified",
    "isLoopback",
    "isLinkLocalMulticast",
    "isLinkLocalUnicast",
    "isGlobalUnicast",
  ].map((name) => `${ip}.${name}(): bool`),
  `string(${ip}): string`,
  `cidr(string): ${cidr}`,
  "isCIDR(string): bool",
  `string(${cidr}): string`,
  `${cidr}.containsIP(string): bool`,
  `${cidr}.containsIP(${ip}): bool`,
  `${cidr}.containsCIDR(string): bool`,
  `${cidr}.containsCIDR(${cidr}): bool`,
  `${cidr}.ip(): ${ip}`,
  `${cidr}.prefixLength(): int`,
  `${cidr}.masked(): ${cidr}`,
  // format
  `FormatNamespace.named(string): optional<${format}>`,
  ...namedFormats.map((name) => `FormatNamespace.${name}(): ${format}`),
  `${format}.validate(string): optional<list<string>>`,
  // optionals
  "OptionalNamespace.ofNonZeroValue(A): optional<A>",
];

/** Comparisons of the values of a type. Objects can be null: checker/types.go of cel-go. */
export function equalities(type: string): readonly string[] {
  return [`${type} == ${type}`, `${type} == null`];
}

/** Operators that the checker of the library lacks. */
export const operatorSignatures: readonly string[] = [
  ...libraryTypes.flatMap(equalities),
  ...[time, span, "optional<dyn>"].flatMap((type) => equalities(type).slice(1)),
  `-${span}`,
  ...["<", "<=", ">", ">="].map((operator) => `bytes ${operator} bytes: bool`),
  "optional<A> == optional<A>",
];
