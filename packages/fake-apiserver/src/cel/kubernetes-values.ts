import { formatAddress, parseAddress, type Address } from "../validation/addresses.ts";
import { canonicalQuantity, quantityNanos } from "../schema/quantity.ts";
import { CelFailure } from "./failures.ts";
import { OpaqueValue } from "./values.ts";

/** A quantity, such as `1.5Gi`. */
export class QuantityValue extends OpaqueValue {
  readonly type = "kubernetes.Quantity";
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  /** Returns the quantity of a string; undefined if it is malformed. */
  static parse(text: string): QuantityValue | undefined {
    if (canonicalQuantity(text) === undefined) return undefined;
    const nanos = quantityNanos(text);
    return nanos === undefined ? undefined : new QuantityValue(nanos);
  }

  override isSame(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && other.nanos === this.nanos;
  }
}

/** An IP address. */
export class IpValue extends OpaqueValue {
  readonly type = "net.IP";
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  /**
   * Parses an address as strictly as Go's `netip.ParseAddr`.
   *
   * @returns the address, or the reason why there is none
   */
  static parse(text: string): IpValue | string {
    const address = parseAddress(text);
    const zoned = text.includes("%");
    const leadingZero = /(?:^|[.:])0\d+(?=\.|$)/.test(text) && text.includes(".");
    if (address === undefined || zoned || leadingZero) {
      return `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`;
    }
    if (address.family === "IPv6" && address.value >> 32n === 0xffffn) {
      return `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`;
    }
    return new IpValue(address);
  }

  override isSame(other: OpaqueValue): boolean {
    return other instanceof IpValue && this.toString() === other.toString();
  }

  override toString(): string {
    return formatAddress(this.address);
  }
}

/** A range of IP addresses. */
export class CidrValue extends OpaqueValue {
  readonly type = "net.CIDR";
  readonly ip: IpValue;
  readonly prefix: number;

  constructor(ip: IpValue, prefix: number) {
    super();
    this.ip = ip;
    this.prefix = prefix;
  }

  /** Parses a range as strictly as Go's `netip.ParsePrefix`; undefined if it is malformed. */
  static parse(text: string): CidrValue | undefined {
    const [, host = "", digits = ""] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
    const ip = IpValue.parse(host);
    if (typeof ip === "string" || Number(digits) > ip.address.bits) return undefined;
    return new CidrValue(ip, Number(digits));
  }

  /** The range with all bits behind the prefix cleared. */
  masked(): CidrValue {
    const { address } = this.ip;
    const bits = BigInt(address.bits - this.prefix);
    return new CidrValue(
      new IpValue({ ...address, value: (address.value >> bits) << bits }),
      this.prefix,
    );
  }

  /** Whether the range has an address. */
  contains({ address }: IpValue): boolean {
    const bits = BigInt(address.bits - this.prefix);
    return (
      address.family === this.ip.address.family &&
      address.value >> bits === this.ip.address.value >> bits
    );
  }

  override isSame(other: OpaqueValue): boolean {
    return other instanceof CidrValue && other.prefix === this.prefix && other.ip.isSame(this.ip);
  }

  override toString(): string {
    return `${this.ip.toString()}/${this.prefix}`;
  }
}

const schemePattern = String.raw`(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):`;
const hostPattern = String.raw`\/\/(?:[^@/?]*@)?(?<host>[^/?]*)`;
const restPattern = String.raw`(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#.*)?`;
const urlPattern = new RegExp(`^(?:${schemePattern}(?:${hostPattern})?)?${restPattern}$`, "s");

/** A URL as Go's `url.ParseRequestURI` reads it. */
export class UrlValue extends OpaqueValue {
  readonly type = "kubernetes.URL";
  override readonly textLength: number;
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;

  private constructor(text: string, parts: Readonly<Record<string, string | undefined>>) {
    super();
    this.textLength = text.length;
    this.text = text;
    this.scheme = (parts["scheme"] ?? "").toLowerCase();
    this.host = parts["host"] ?? "";
    this.path = parts["path"] ?? "";
    this.query = parts["query"] ?? "";
  }

  /** Returns the URL of a string; undefined if it is neither absolute nor an absolute path. */
  static parse(text: string): UrlValue | undefined {
    if (/\p{Cc}/u.test(text)) return undefined;
    const parts = urlPattern.exec(text)?.groups;
    if (parts === undefined) return undefined;
    const { host, path = "", scheme } = parts;
    // Go decodes the path and the host, and the query only when it is read.
    if (/%(?![0-9a-fA-F]{2})/.test(path)) return undefined;
    if (scheme === undefined && !path.startsWith("/") && text !== "*") return undefined;
    if (host !== undefined && !isHost(host)) return undefined;
    return new UrlValue(text, parts);
  }

  /** The host without port and brackets. */
  get hostname(): string {
    return this.host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1");
  }

  /** The port; "" if the URL has none. */
  get port(): string {
    return /:(\d*)$/.exec(this.host.replace(/^\[.*\]/, ""))?.[1] ?? "";
  }

  override isSame(other: OpaqueValue): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

function isHost(host: string): boolean {
  // Hosts may not have escaped characters of ASCII, except the zone of an address.
  if (host.includes(" ") || /%(?!25|[89a-fA-F][0-9a-fA-F])/.test(host)) return false;
  if (host.startsWith("[")) return /^\[[^\]]+\](?::\d*)?$/.test(host);
  return /^[^:[\]<>"\\^`{|}]*(?::\d*)?$/.test(host);
}

const semverPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** The greatest number of 64 bits. */
const maxNumber = 2n ** 64n - 1n;

/** A version of Semantic Versioning 2. */
export class SemverValue extends OpaqueValue {
  readonly type = "kubernetes.Semver";
  override readonly textLength: number;
  readonly numbers: readonly bigint[];
  readonly #prerelease: readonly string[];

  private constructor(
    textLength: number,
    numbers: readonly bigint[],
    prerelease: readonly string[],
  ) {
    super();
    this.textLength = textLength;
    this.numbers = numbers;
    this.#prerelease = prerelease;
  }

  /** Returns the version of a string; undefined if it is malformed. */
  static parse(text: string): SemverValue | undefined {
    const match = semverPattern.exec(text);
    if (match === null) return undefined;
    const prerelease = match[4]?.split(".") ?? [];
    const numbers = [...match.slice(1, 4), ...prerelease.filter((part) => /^\d+$/.test(part))];
    if (numbers.some((digits) => digits.length > 20 || BigInt(digits) > maxNumber))
      return undefined;
    if (prerelease.some((part) => /^0\d+$/.test(part))) return undefined;
    return new SemverValue(text.length, match.slice(1, 4).map(BigInt), prerelease);
  }

  /** As {@link parse}, with a prefix `v`, leading zeros, and missing parts (`v1.02`). */
  static normalize(text: string): SemverValue | undefined {
    const [, core = "", rest = ""] = /^v?([\d.]*)(.*)$/s.exec(text) ?? [];
    const parts = core.split(".").map((part) => part.replace(/^0+(?=\d)/, ""));
    if (parts.length < 3 && rest !== "") return undefined;
    while (parts.length < 3) parts.push("0");
    return SemverValue.parse(parts.join(".") + rest);
  }

  compare(other: SemverValue): number {
    for (const [index, number] of this.numbers.entries()) {
      const others = other.numbers[index] ?? 0n;
      if (number !== others) return number < others ? -1 : 1;
    }
    const [left, right] = [this.#prerelease, other.#prerelease];
    if (left.length === 0 || right.length === 0)
      return right.length === left.length ? 0 : left.length === 0 ? 1 : -1;
    for (const [index, part] of left.entries()) {
      const against = right[index];
      if (against === undefined) return 1;
      const difference = comparePrerelease(part, against);
      if (difference !== 0) return difference;
    }
    return left.length === right.length ? 0 : -1;
  }

  override isSame(other: OpaqueValue): boolean {
    return other instanceof SemverValue && this.compare(other) === 0;
  }
}

function comparePrerelease(left: string, right: string): number {
  if (left === right) return 0;
  const [isLeft, isRight] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isLeft && isRight) return BigInt(left) < BigInt(right) ? -1 : 1;
  if (isLeft !== isRight) return isLeft ? -1 : 1;
  return left < right ? -1 : 1;
}

/** A format that `format.named` returns. */
export class NamedFormat extends OpaqueValue {
  readonly type = "kubernetes.NamedFormat";
  readonly name: string;
  readonly #validate: (text: string) => readonly string[];

  constructor(name: string, validate: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.#validate = validate;
  }

  /** Returns the problems of a string. @throws {CelFailure} for another value */
  validate(value: unknown): readonly string[] {
    if (typeof value !== "string") throw new CelFailure("no such overload");
    return this.#validate(value);
  }

  override isSame(other: OpaqueValue): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}
