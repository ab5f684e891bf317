import type { FieldError } from "../api/errors.ts";
import { goQuote } from "../base/go-text.ts";
import { invalid } from "./field-errors.ts";

const ipProblem = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
const cidrProblem = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

/** An address as a number, with its family. */
export interface Address {
  readonly family: "IPv4" | "IPv6";
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A range of addresses with the first `prefix` bits of `address`. */
export interface AddressRange {
  readonly address: Address;
  readonly prefix: number;
}

/** Parses an address of either family; undefined if it is malformed. */
export function parseAddress(text: string): Address | undefined {
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

/** Parses a range such as `10.9.8.0/24`; undefined if it is malformed. */
export function parseRange(text: string): AddressRange | undefined {
  const [, host = "", digits = ""] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const address = parseAddress(host);
  const prefix = Number(digits);
  if (address === undefined || digits === "" || prefix > address.bits) return undefined;
  return { address, prefix };
}

/** Writes an address in its canonical form: RFC 5952 for IPv6. */
export function formatAddress({ family, value }: Address): string {
  if (family === "IPv4") return groupsOf(value, 4, 8).join(".");
  const groups = groupsOf(value, 8, 16).map((group) => group.toString(16));
  const zeros = [...groups.join(":").matchAll(/(?<![^:])0(?::0)+(?![^:])/g)];
  const [longest] = zeros.toSorted((one, other) => other[0].length - one[0].length);
  if (longest === undefined) return groups.join(":");
  const text = groups.join(":");
  const before = text.slice(0, longest.index).replace(/:$/, "");
  return `${before}::${text.slice(longest.index + longest[0].length).replace(/^:/, "")}`;
}

function groupsOf(value: bigint, count: number, bits: number): readonly number[] {
  return Array.from({ length: count }, (_, index) =>
    Number((value >> BigInt(bits * (count - 1 - index))) & BigInt(2 ** bits - 1)),
  );
}

/** Whether a range contains all addresses of another one. */
export function isWithin(inner: AddressRange, outer: AddressRange): boolean {
  if (inner.address.family !== outer.address.family || inner.prefix < outer.prefix) return false;
  return network(inner.address, outer.prefix) === network(outer.address, outer.prefix);
}

/** Checks an address of either family, as `StrictIPCIDRValidation` does. */
export function checkAddress(field: string, text: string): FieldError[] {
  const problem = problemOf(text, parseAddress(text));
  return problem === undefined ? [] : [invalid(field, text, problem)];
}

/**
 * Returns what is wrong with an address that must be in its canonical form, as k8s.io/apimachinery
 * pkg/util/validation, `IsValidIP`.
 */
export function addressProblems(text: string): readonly string[] {
  const address = parseAddress(text);
  const problem = problemOf(text, address);
  if (address === undefined || problem !== undefined) return [problem ?? ipProblem];
  const canonical = formatAddress(address);
  return canonical === text ? [] : [`must be in canonical form (${goQuote(canonical)})`];
}

function problemOf(text: string, address: Address | undefined): string | undefined {
  if (address === undefined) return ipProblem;
  if (address.family === "IPv4" && hasLeadingZero(text)) return "must not have leading 0s";
  return isMapped(address) ? "must not be an IPv4-mapped IPv6 address" : undefined;
}

function hasLeadingZero(text: string): boolean {
  return /(?:^|\.)0\d/.test(text);
}

/** Whether an IPv6 address stands for one of IPv4. */
function isMapped({ family, value }: Address): boolean {
  return family === "IPv6" && value >> 32n === 0xffffn;
}

/** Checks a range of addresses, as `StrictIPCIDRValidation` does. */
export function checkRange(field: string, text: string): FieldError[] {
  const problem = problemOfRange(text, parseRange(text));
  return problem === undefined ? [] : [invalid(field, text, problem)];
}

function problemOfRange(text: string, range: AddressRange | undefined): string | undefined {
  if (range === undefined) return cidrProblem;
  const { address, prefix } = range;
  const [host, digits] = text.split("/");
  if (/^0\d/.test(digits ?? "") || (address.family === "IPv4" && hasLeadingZero(host ?? ""))) {
    return "must not have leading 0s in IP or prefix length";
  }
  if (isMapped(address)) return "must not have an IPv4-mapped IPv6 address";
  const rest = BigInt(address.bits - prefix);
  return (address.value >> rest) << rest === address.value
    ? undefined
    : "must not have bits set beyond the prefix length";
}

// Not allowed for endpoints and external IPs: pkg/apis/core/validation, `ValidateEndpointIP`.
const specialRanges: readonly (readonly [names: string, ...ranges: readonly string[]])[] = [
  ["may not be unspecified (0.0.0.0)", "0.0.0.0/32"],
  ["may not be unspecified (::)", "::/128"],
  ["may not be in the loopback range (127.0.0.0/8, ::1/128)", "127.0.0.0/8", "::1/128"],
  ["may not be in the link-local range (169.254.0.0/16, fe80::/10)", "169.254.0.0/16", "fe80::/10"],
  [
    "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
    "224.0.0.0/24",
    "ff02::/16",
  ],
];

/** Checks that other machines can reach an address. */
export function checkReachable(field: string, text: string): FieldError[] {
  const address = parseAddress(text);
  if (address === undefined) return [invalid(field, text, "must be a valid IP address")];
  const single = { address, prefix: address.bits };
  return specialRanges
    .filter(([, ...ranges]) =>
      ranges.some((range) => {
        const outer = parseRange(range);
        return outer !== undefined && isWithin(single, outer);
      }),
    )
    .map(([problem]) => invalid(field, text, problem));
}

function network({ bits, value }: Address, prefix: number): bigint {
  return value >> BigInt(bits - prefix);
}

function parseIpv4(text: string): Address | undefined {
  const parts = text.split(".");
  // Leading zeros are allowed and decimal, for old objects: k8s.io/utils/net.
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  if (numbers.some((number) => number > 255)) return undefined;
  const value = numbers.reduce((sum, number) => (sum << 8n) | BigInt(number), 0n);
  return { family: "IPv4", bits: 32, value };
}

function parseIpv6(text: string): Address | undefined {
  const groups = withoutEmbedded(text).split("::");
  if (groups.length > 2) return undefined;
  const [head = "", tail] = groups;
  const before = readGroups(head);
  const after = readGroups(tail ?? "");
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const zeros = Array.from({ length: missing }, () => 0n);
  const value = [...before, ...zeros, ...after].reduce((sum, group) => (sum << 16n) | group, 0n);
  return { family: "IPv6", bits: 128, value };
}

// The last 32 bits can be an IPv4 address.
function withoutEmbedded(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const embedded = parseIpv4(text.slice(start));
  if (embedded === undefined) return text;
  const groups = [embedded.value >> 16n, embedded.value & 0xffffn];
  return text.slice(0, start) + groups.map((group) => group.toString(16)).join(":");
}

function readGroups(text: string): readonly bigint[] | undefined {
  if (text === "") return [];
  const groups: bigint[] = [];
  for (const part of text.split(":")) {
    if (!/^[\da-fA-F]{1,4}$/.test(part)) return undefined;
    groups.push(BigInt(`0x${part}`));
  }
  return groups;
}
