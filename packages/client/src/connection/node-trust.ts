import { X509Certificate } from "node:crypto";
import { type AgentOptions, Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import { checkServerIdentity, TLSSocket } from "node:tls";
import { ConfigError } from "../errors/errors.ts";
import { certificatesIn } from "./tls-options.ts";

/** First version of Bun that can trust a certificate that is not self-signed. */
const firstBunWithAnchors = [1, 4] as const;
/** Extended key usages of a server: RFC 5280 §4.2.1.12, serverAuth and anyExtendedKeyUsage. */
const serverUsages: readonly string[] = ["1.3.6.1.5.5.7.3.1", "2.5.29.37.0"];

type OnConnection = (error: Error | null, connection: Duplex) => void;

/**
 * Returns the options with which OpenSSL and BoringSSL trust each certificate of `ca`, as Go does:
 * an intermediate authority without its root, and the certificate of the server itself.
 *
 * @throws {ConfigError} if `ca` has no certificate, or one that this runtime cannot trust
 */
export function anchorOptions(ca: string | undefined): { readonly allowPartialTrustChain?: true } {
  if (ca === undefined) return {};
  checkAnchors(ca);
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
    `Cannot trust the certificate authority ${oneLine(partial.subject)}, which is not self-signed: ` +
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
    const name = servername ?? host ?? "localhost";
    const judge = (tls: TLSSocket): void => {
      const fault = tls.authorized ? undefined : faultOf(tls, name, this.#anchors);
      if (fault !== undefined) tls.once("error", () => undefined).destroy();
      onConnection(fault ?? null, tls);
    };
    // Through a proxy the connection is made later, and is secure when the callback gets it.
    const made = super.createConnection(
      { ...wanted, rejectUnauthorized: false },
      (error, connection) => {
        if (!(connection instanceof TLSSocket)) onConnection(error ?? null, connection);
        else if (connection !== made) judge(connection);
      },
    );
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

function isForServers({ keyUsage }: X509Certificate): boolean {
  // Without the extension a certificate is for any use.
  const usages: readonly string[] | undefined = keyUsage;
  return usages === undefined || usages.some((usage) => serverUsages.includes(usage));
}
