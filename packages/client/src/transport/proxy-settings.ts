/** Proxy for requests: one for all of them, or the environment's. */
export type ProxySettings = { readonly always: string | undefined } | EnvironmentProxies;

/** Proxies of the environment. */
export interface EnvironmentProxies {
  readonly http: string | undefined;
  readonly https: string | undefined;
  /** Addresses that need no proxy, in the form of `NO_PROXY`. */
  readonly except: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, or their lower-case forms, as in
 * Go's `httpproxy.FromEnvironment`.
 */
export function readProxyEnvironment(environment: Environment): EnvironmentProxies {
  const read = (name: string): string | undefined => {
    const value = environment[name] || environment[name.toLowerCase()] || "";
    return value.trim() === "" ? undefined : value.trim();
  };
  return { http: read("HTTP_PROXY"), https: read("HTTPS_PROXY"), except: read("NO_PROXY") ?? "" };
}

/**
 * Returns the proxy for an address, or `undefined` for none. Rules for the environment follow
 * golang.org/x/net/http/httpproxy: localhost needs none.
 */
export function proxyFor(url: URL, settings: ProxySettings): string | undefined {
  if ("always" in settings) return settings.always;
  const { http, https, except } = settings;
  const proxy = url.protocol === "https:" ? https : http;
  if (proxy === undefined || isLoopback(hostOf(url)) || isExcepted(url, except)) return undefined;
  return withScheme(proxy);
}

/** Whether an address is that of a SOCKS proxy. The proxy resolves names, as with Go. */
export function isSocks(proxy: string): boolean {
  return /^socks5h?:/i.test(proxy);
}

/** Whether an address needs no proxy. */
function isExcepted(url: URL, except: string): boolean {
  const host = hostOf(url);
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return except.split(/[\s,]+/).some((entry) => matches(entry, host, port));
}

/** Go's `httpproxy.parseProxy`: an address without a scheme uses HTTP. */
function withScheme(proxy: string): string {
  const hasScheme = /^[a-z][a-z\d+.-]*:[\\/]/i.test(proxy);
  return proxyAddress(proxy) ?? (hasScheme ? proxy : (proxyAddress(`http://${proxy}`) ?? proxy));
}

/**
 * Returns the address of a proxy in the spelling that every runtime accepts: an agent ignores other
 * spellings and bypasses the proxy. `undefined` if it is malformed.
 */
export function proxyAddress(proxy: string): string | undefined {
  if (!URL.canParse(proxy)) return undefined;
  const { protocol, host, href } = new URL(proxy);
  if (host === "" || !/^(https?|socks5h?):$/.test(protocol)) return undefined;
  return /^[a-z\d]+:\/\/[^\s\\/?#]+\/?$/.test(proxy) ? proxy : href;
}

/** Returns the host of an address, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
}

/** Whether a host, without brackets, is this machine: Go's `IP.IsLoopback`, and localhost. */
export function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const address = addressOf(host);
  if (address?.bits === 128) return address.value === 1n;
  return address !== undefined && address.value >> 24n === 127n;
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "") return false;
  if (entry === "*") return true;
  if (entry.includes("/")) return isInRange(host, entry);
  const { name, port: entryPort } = splitPort(entry.toLowerCase());
  if (entryPort !== undefined && entryPort !== port) return false;
  const address = addressOf(name);
  const hostAddress = addressOf(host);
  if (address !== undefined) {
    return hostAddress?.value === address.value && hostAddress.bits === address.bits;
  }
  // A name never matches a part of an address.
  if (hostAddress !== undefined) return false;
  // "example.com" means this host and all below it; ".example.com" and "*.example.com" only the
  // latter.
  const suffix = asciiOf(name.replace(/^\*\./, "."));
  if (suffix.startsWith(".")) return host.endsWith(suffix);
  return host === suffix || host.endsWith(`.${suffix}`);
}

function splitPort(entry: string): { name: string; port: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(\d*))?$/.exec(entry);
  if (bracketed !== null) return { name: bracketed[1] ?? "", port: bracketed[2] || undefined };
  // With more than one colon it is an IPv6 address without brackets.
  const [, name, port] = /^([^:]*):(\d*)$/.exec(entry) ?? [];
  // Without digits it holds for any port.
  return name === undefined ? { name: entry, port: undefined } : { name, port: port || undefined };
}

/** Converts a name to the form in which addresses contain it. */
function asciiOf(name: string): string {
  if (!/[\u0080-\uffff]/.test(name)) return name;
  const [, dot = "", rest = ""] = /^(\.?)(.*)$/.exec(name) ?? [];
  return URL.canParse(`http://${rest}`) ? dot + hostOf(new URL(`http://${rest}`)) : name;
}

interface Address {
  readonly value: bigint;
  readonly bits: 32 | 128;
}

/** Whether an address is in a range such as `10.0.0.0/8`. A name never is. */
function isInRange(host: string, range: string): boolean {
  const [base = "", length = ""] = range.split("/");
  const address = addressOf(host);
  const first = addressOf(base);
  if (address === undefined || first === undefined || address.bits !== first.bits) return false;
  // The range of an IPv4 address in the form of IPv6 counts the bits of the latter.
  const prefix = Number(length) - (base.includes(":") && first.bits === 32 ? 96 : 0);
  if (!/^\d+$/.test(length) || prefix < 0 || prefix > first.bits) return false;
  const shift = BigInt(first.bits - prefix);
  return address.value >> shift === first.value >> shift;
}

function addressOf(text: string): Address | undefined {
  return text.includes(":") ? ipv6Of(text) : ipv4Of(text);
}

function ipv4Of(text: string): Address | undefined {
  const isAddress = /^((0|[1-9]\d{0,2})(\.|$)){4}$/.test(text) && !text.endsWith(".");
  const parts = isAddress ? text.split(".").map(Number) : undefined;
  if (parts === undefined || parts.some((part) => part > 255)) return undefined;
  return { value: parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n), bits: 32 };
}

function ipv6Of(text: string): Address | undefined {
  let host: string;
  try {
    // Normalises all spellings; at most one run of zeros is omitted.
    host = hostOf(new URL(`http://[${text}]`));
  } catch {
    return undefined;
  }
  const [head = "", tail] = host.split("::");
  const before = head.split(":").filter((part) => part !== "");
  const after = (tail ?? "").split(":").filter((part) => part !== "");
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const value = [...before, ...zeros, ...after].reduce(
    (sum, part) => (sum << 16n) | BigInt(`0x${part}`),
    0n,
  );
  // Go compares an IPv4 address in the form of IPv6 as IPv4.
  return value >> 32n === 0xffffn
    ? { value: value & 0xffff_ffffn, bits: 32 }
    : { value, bits: 128 };
}
