import { Buffer } from "node:buffer";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { type AgentOptions, Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import { checkServerIdentity, TLSSocket } from "node:tls";
import { ConfigError } from "../errors/errors.ts";
import { certificatesIn, type TlsOptions } from "./tls-options.ts";

/** First version of Bun that can trust a certificate that is not self-signed. */
const firstBunWithAnchors = [1, 4] as const;
/** RFC 5280 §4.2.1.12, encoded: the extension, and its usages serverAuth and any. */
const extendedKeyUsage = Buffer.from("0603551d25", "hex");
const serverUsages = ["06082b06010505070301", "0604551d2500"].map((hex) => Buffer.from(hex, "hex"));

type OnConnection = (error: Error | null, connection: Duplex) => void;

/**
 * Returns the options with which OpenSSL and BoringSSL trust each certificate of `ca`, as Go does:
 * an intermediate authority without its root, and the certificate of the server itself.
 *
 * @throws {ConfigError} if `ca` has a certificate that this runtime cannot trust
 */
export function anchorOptions(ca: string | undefined): { readonly allowPartialTrustChain?: true } {
  if (ca === undefined) return {};
  const bun = globalThis.process.versions["bun"];
  if (bun === undefined) return { allowPartialTrustChain: true };
  // Some versions of Bun refuse self-signed certificates with this option.
  const partial = anchorsIn(ca).find(({ issuer, subject }) => issuer !== subject);
  if (partial === undefined) return {};
  const [major = 0, minor = 0] = bun.split(".").map(Number);
  const [firstMajor, firstMinor] = firstBunWithAnchors;
  const isTooOld = major < firstMajor || (major === firstMajor && minor < firstMinor);
  if (!isTooOld) return { allowPartialTrustChain: true };
  if (isComplete(ca)) return {};
  throw new ConfigError(
    `Cannot trust the authority ${oneLine(partial.subject)}, which is not self-signed: ` +
      `expected Bun ${firstMajor}.${firstMinor} or newer for that, got Bun ${bun}`,
  );
}

/**
 * Checks that there is a certificate to trust. Without one, some runtimes would trust their roots.
 *
 * @throws {ConfigError} if there is none, like client-go's `rootCertPool`
 */
export function checkAnchors(ca: string): void {
  if (anchorsIn(ca).length > 0) return;
  throw new ConfigError("Cannot trust the certificate authority: its data has no certificate");
}

/**
 * Checks that certificate and key can be read. Deno connects without them otherwise.
 *
 * @throws {ConfigError} if they cannot
 */
export function checkClientCertificate({ cert, key, passphrase }: TlsOptions): void {
  if (cert === undefined || key === undefined || passphrase !== undefined) return;
  try {
    createPrivateKey(key);
    if (certificatesIn(cert).length > 0) return;
  } catch (error) {
    throw new ConfigError("Cannot use the client certificate: expected an unencrypted key in PEM", {
      cause: error,
    });
  }
  throw new ConfigError("Cannot use the client certificate: expected a certificate in PEM");
}

/** Whether the issuer of each certificate is there, too. */
function isComplete(ca: string): boolean {
  const anchors = anchorsIn(ca);
  const subjects = new Set(anchors.map(({ subject }) => subject));
  return anchors.every(({ issuer }) => subjects.has(issuer));
}

/** Returns the certificates, without those that cannot be parsed, which Go skips, too. */
function anchorsIn(ca: string): readonly X509Certificate[] {
  return certificatesIn(ca).flatMap((text) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      return [];
    }
  });
}

function oneLine(name: string): string {
  return name.replaceAll("\n", ", ");
}

/**
 * An agent for Deno, whose TLS does not take the certificate of a server as its own anchor. A
 * certificate that the runtime refuses is accepted if it is one of `ca`, valid now, for a server,
 * and for the host.
 */
export class AnchoredHttpsAgent extends HttpsAgent {
  readonly #anchors: readonly X509Certificate[];

  constructor(ca: string, options: AgentOptions) {
    super(options);
    this.#anchors = anchorsIn(ca);
  }

  override createConnection(
    wanted: Parameters<HttpsAgent["createConnection"]>[0],
    onConnection: OnConnection = () => undefined,
  ): undefined {
    const { host, servername } = wanted;
    // An address instead of a name leaves the server name empty.
    const name = servername || (host ?? "localhost").replace(/^\[|\]$/g, "");
    const judge = (tls: TLSSocket): void => {
      const fault = tls.authorized ? undefined : faultOf(tls, name, this.#anchors);
      if (fault !== undefined) tls.once("error", () => undefined).destroy();
      onConnection(fault ?? null, tls);
    };
    let made: unknown;
    made = super.createConnection({ ...wanted, rejectUnauthorized: false }, (error, connection) => {
      // A socket that was returned reports by its events.
      if (made instanceof TLSSocket) return;
      if (connection instanceof TLSSocket && !error) judge(connection);
      else onConnection(error ?? null, connection);
    });
    if (made instanceof TLSSocket) afterHandshake(made, judge, onConnection);
  }
}

function afterHandshake(
  tls: TLSSocket,
  judge: (tls: TLSSocket) => void,
  onConnection: OnConnection,
): void {
  const fail = (error: Error): void => onConnection(error, tls);
  tls.once("error", fail).once("secureConnect", () => {
    tls.off("error", fail);
    judge(tls);
  });
}

function faultOf(
  socket: TLSSocket,
  name: string,
  anchors: readonly X509Certificate[],
): Error | undefined {
  const peer = socket.getPeerCertificate();
  const { raw } = peer;
  const shown = raw === undefined ? undefined : new X509Certificate(raw);
  const isAnchor = anchors.some((anchor) => raw !== undefined && anchor.raw.equals(raw));
  if (shown !== undefined && isAnchor && isValidNow(shown) && isForServers(shown)) {
    return checkServerIdentity(name, peer);
  }
  const code = String(socket.authorizationError ?? "CERT_UNTRUSTED");
  return Object.assign(new Error(`the certificate of ${name} is not trusted`), { code });
}

function isValidNow({ validFrom, validTo }: X509Certificate): boolean {
  const nowMs = Date.now();
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
}

/** Searches the encoding, since Deno's `X509Certificate` does not read this extension. */
function isForServers({ raw }: X509Certificate): boolean {
  const start = raw.indexOf(extendedKeyUsage);
  // Without the extension a certificate is for any use.
  if (start < 0) return true;
  const [tag, length = 0] = raw.subarray(start + extendedKeyUsage.length);
  // Between the name and the value may be a boolean, three bytes long.
  const value = start + extendedKeyUsage.length + (tag === 1 ? 3 : 0);
  const size = tag === 1 ? (raw[value + 1] ?? 0) : length;
  const usages = raw.subarray(value + 2, value + 2 + size);
  return serverUsages.some((usage) => usages.includes(usage));
}
