import { hasFormat } from "../schema/formats.ts";
import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  maskTrailingDash,
  type NameRule,
} from "../validation/names.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import {
  CidrValue,
  IpValue,
  NamedFormat,
  QuantityValue,
  SemverValue,
  UrlValue,
} from "./kubernetes-values.ts";
import { type CelFunction, isZero } from "./operators.ts";
import { textArgument } from "./strings.ts";
import { Optional } from "./values.ts";

const nano = 1_000_000_000n;
const maxInt = 2n ** 63n - 1n;

function quantity(value: unknown): QuantityValue {
  if (value instanceof QuantityValue) return value;
  if (typeof value === "bigint") return new QuantityValue(value * nano);
  throw noSuchOverload();
}

function isInt({ nanos }: QuantityValue): boolean {
  return nanos % nano === 0n && nanos / nano <= maxInt && nanos / nano >= -maxInt - 1n;
}

function order(left: bigint, right: bigint): bigint {
  if (left === right) return 0n;
  return left < right ? -1n : 1n;
}

/** quantity.go of k8s.io/apiserver cel/library. */
const quantityFunctions: Readonly<Record<string, CelFunction>> = {
  quantity: (text) => {
    const parsed = QuantityValue.parse(textArgument(text));
    if (parsed !== undefined) return parsed;
    throw new CelFailure(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  },
  isQuantity: (text) => QuantityValue.parse(textArgument(text)) !== undefined,
  ".sign": (value) => order(quantity(value).nanos, 0n),
  ".isInteger": (value) => isInt(quantity(value)),
  ".asInteger": (value) => {
    const { nanos } = quantity(value);
    if (!isInt(quantity(value))) throw new CelFailure("cannot convert value to integer");
    return nanos / nano;
  },
  ".asApproximateFloat": (value) => Number(quantity(value).nanos) / Number(nano),
  ".add": (left, right) => new QuantityValue(quantity(left).nanos + quantity(right).nanos),
  ".sub": (left, right) => new QuantityValue(quantity(left).nanos - quantity(right).nanos),
};

function semver(value: unknown): SemverValue {
  if (value instanceof SemverValue) return value;
  throw noSuchOverload();
}

function parseSemver(text: unknown, normalize: unknown): SemverValue | undefined {
  if (normalize !== undefined && typeof normalize !== "boolean") throw noSuchOverload();
  const version = textArgument(text);
  return normalize === true ? SemverValue.normalize(version) : SemverValue.parse(version);
}

function compare(left: unknown, right: unknown): bigint {
  if (left instanceof SemverValue) return BigInt(left.compare(semver(right)));
  if (!(right instanceof QuantityValue)) throw noSuchOverload();
  return order(quantity(left).nanos, right.nanos);
}

/** semverlib.go, and what it shares with quantities. */
const semverFunctions: Readonly<Record<string, CelFunction>> = {
  semver: (text, normalize) => {
    const version = parseSemver(text, normalize);
    if (version === undefined) throw new CelFailure("Invalid character(s) found in version");
    return version;
  },
  isSemver: (text, normalize) => parseSemver(text, normalize) !== undefined,
  ".major": (value) => semver(value).numbers[0],
  ".minor": (value) => semver(value).numbers[1],
  ".patch": (value) => semver(value).numbers[2],
  ".compareTo": compare,
  ".isGreaterThan": (left, right) => compare(left, right) > 0n,
  ".isLessThan": (left, right) => compare(left, right) < 0n,
};

function ip(value: unknown): IpValue {
  if (value instanceof IpValue) return value;
  const parsed = IpValue.parse(textArgument(value));
  if (typeof parsed === "string") throw new CelFailure(parsed);
  return parsed;
}

function cidr(value: unknown): CidrValue {
  if (value instanceof CidrValue) return value;
  const parsed = CidrValue.parse(textArgument(value));
  if (parsed !== undefined) return parsed;
  throw new CelFailure(
    `network address parse error during conversion from string: ${textArgument(value)}`,
  );
}

function inRange(range: string): (value: unknown) => boolean {
  const outer = cidr(range);
  return (value) => outer.contains(memberIp(value));
}

function memberIp(value: unknown): IpValue {
  if (!(value instanceof IpValue)) throw noSuchOverload();
  return value;
}

function anyOf(...ranges: readonly string[]): CelFunction {
  const tests = ranges.map(inRange);
  return (value) => tests.some((test) => test(value));
}

const isUnspecified = anyOf("0.0.0.0/32", "::/128");
const isLoopback = anyOf("127.0.0.0/8", "::1/128");
const isLinkLocal = anyOf("169.254.0.0/16", "fe80::/10");
const isMulticast = anyOf("224.0.0.0/4", "ff00::/8");
const isBroadcast = anyOf("255.255.255.255/32");

/** ip.go and cidr.go. */
const addressFunctions: Readonly<Record<string, CelFunction>> = {
  ip,
  isIP: (text) => typeof IpValue.parse(textArgument(text)) !== "string",
  "ip.isCanonical": (text) => ip(textArgument(text)).toString() === text,
  ".family": (value) => (memberIp(value).address.family === "IPv4" ? 4n : 6n),
  ".isUnspecified": isUnspecified,
  ".isLoopback": isLoopback,
  ".isLinkLocalMulticast": anyOf("224.0.0.0/24", "ff02::/16"),
  ".isLinkLocalUnicast": isLinkLocal,
  ".isGlobalUnicast": (value) =>
    [isUnspecified, isLoopback, isLinkLocal, isMulticast, isBroadcast].every(
      (test) => test(value) === false,
    ),
  cidr,
  isCIDR: (text) => CidrValue.parse(textArgument(text)) !== undefined,
  ".containsIP": (range, address) => cidr(range).contains(ip(address)),
  ".containsCIDR": (range, other) => {
    const [outer, inner] = [cidr(range), cidr(other)];
    return outer.prefix <= inner.prefix && outer.contains(inner.ip);
  },
  ".ip": (range) => cidr(range).ip,
  ".prefixLength": (range) => BigInt(cidr(range).prefix),
  ".masked": (range) => cidr(range).masked(),
};

function url(value: unknown): UrlValue {
  if (!(value instanceof UrlValue)) throw noSuchOverload();
  return value;
}

/** urls.go. */
const urlFunctions: Readonly<Record<string, CelFunction>> = {
  url: (text) => {
    const parsed = UrlValue.parse(textArgument(text));
    if (parsed !== undefined) return parsed;
    throw new CelFailure(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  },
  isURL: (text) => UrlValue.parse(textArgument(text)) !== undefined,
  ".getScheme": (value) => url(value).scheme,
  ".getHost": (value) => url(value).host,
  ".getHostname": (value) => url(value).hostname,
  ".getPort": (value) => url(value).port,
  ".getEscapedPath": (value) =>
    url(value).path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]/gu, (character) =>
      encodeURIComponent(character),
    ),
  ".getQuery": (value) => {
    const members = new Map<unknown, string[]>();
    // Go leaves out what it cannot decode.
    const pairs = url(value).query.split("&");
    const decodable = pairs.filter((pair) => !/%(?![0-9a-fA-F]{2})/.test(pair));
    for (const [key, one] of new URLSearchParams(decodable.join("&"))) {
      const known = members.get(key) ?? [];
      members.set(key, known);
      known.push(one);
    }
    return members;
  },
};

function prefix(rule: NameRule): NameRule {
  return (text) => rule(maskTrailingDash(text));
}

function formatRule(format: string, problem: string): NameRule {
  return (text) => (hasFormat(text, format) ? [] : [problem]);
}

const namedFormats: ReadonlyMap<string, NameRule> = new Map([
  ["dns1123Label", checkDnsLabel],
  ["dns1123Subdomain", checkDnsSubdomain],
  ["dns1035Label", checkDns1035Label],
  ["qualifiedName", checkQualifiedName],
  ["dns1123LabelPrefix", prefix(checkDnsLabel)],
  ["dns1123SubdomainPrefix", prefix(checkDnsSubdomain)],
  ["dns1035LabelPrefix", prefix(checkDns1035Label)],
  ["labelValue", checkLabelValue],
  [
    "uri",
    (text) =>
      UrlValue.parse(text) === undefined
        ? [`parse ${JSON.stringify(text)}: invalid URI for request`]
        : [],
  ],
  ["uuid", formatRule("uuid", "does not match the UUID format")],
  ["byte", formatRule("byte", "invalid base64")],
  ["date", formatRule("date", "invalid date")],
  ["datetime", formatRule("datetime", "invalid datetime")],
]);

/** format.go. */
const formatFunctions: Readonly<Record<string, CelFunction>> = {
  ...Object.fromEntries(
    Array.from(namedFormats, ([name, rule]) => [
      `format.${name}`,
      () => new NamedFormat(name, rule),
    ]),
  ),
  "format.named": (name) => named(textArgument(name)),
  ".validate": (format, text) => {
    if (!(format instanceof NamedFormat)) throw noSuchOverload();
    const problems = format.validate(text);
    return problems.length === 0 ? Optional.none() : Optional.of(problems);
  },
};

function named(name: string): Optional {
  const rule = namedFormats.get(name);
  return rule === undefined ? Optional.none() : Optional.of(new NamedFormat(name, rule));
}

/** Functions of optional values; `or` and `orValue` are the evaluator's. */
const optionalFunctions: Readonly<Record<string, CelFunction>> = {
  "optional.of": (value) => Optional.of(value),
  "optional.none": () => Optional.none(),
  "optional.ofNonZeroValue": (value) => (isZero(value) ? Optional.none() : Optional.of(value)),
  ".hasValue": (value) => {
    if (!(value instanceof Optional)) throw noSuchOverload();
    return value.hasValue();
  },
  ".value": (value) => {
    if (!(value instanceof Optional)) throw noSuchOverload();
    if (!value.hasValue()) throw new CelFailure("optional.none() dereference");
    return value.value();
  },
};

/** The libraries that Kubernetes adds to the language. */
export const kubernetesFunctions: Readonly<Record<string, CelFunction>> = {
  ...quantityFunctions,
  ...semverFunctions,
  ...addressFunctions,
  ...urlFunctions,
  ...formatFunctions,
  ...optionalFunctions,
};
