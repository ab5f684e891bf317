import { inRealTime } from "@listwatch/core-fifo/base";
import type * as X509 from "@peculiar/x509";
import { certificatesIn } from "./pem.ts";

/** A certificate to issue. */
export interface Wanted {
  /** Name that the subjects contain. */
  readonly name: string;
  /** DNS names and IP addresses. */
  readonly hosts: readonly string[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** A certificate with the authority that has signed it, as PEM. */
export interface Issued {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

/** A certificate whose key matches and whose authority is known. */
export interface Inspected extends Issued {
  readonly hosts: readonly string[];
  /** Time from which the certificate and its authority are valid. */
  readonly notBeforeMs: number;
  /** Time at which the first of the certificate and its authority expires. */
  readonly notAfterMs: number;
  /** A short name of the certificate, which differs from that of any other. */
  readonly fingerprint: string;
}

type Library = typeof X509;

// ECDSA with P-256, as every client of TLS 1.2 has it and kubeadm can use it.
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
// RFC 5280 §4.1.2.2: a positive number of at most 20 bytes.
const serialBytes = 16;
// RFC 5280 appendix A.1, `ub-common-name`.
const maxNameLength = 64;

let library: Promise<Library> | undefined;

/** Loads the library when a certificate is first made or read: programs without one skip it. */
function load(): Promise<Library> {
  library ??= inRealTime(importLibrary());
  return library;
}

/**
 * The library's container of dependencies refuses to load without these two functions of a
 * polyfill, and has nothing to find with them: the library registers all parts itself. So they
 * exist only while it loads, unless the program has a polyfill.
 */
async function importLibrary(): Promise<Library> {
  const names = ["getMetadata", "getOwnMetadata"].filter((name) => !(name in Reflect));
  for (const name of names) {
    Reflect.defineProperty(Reflect, name, { value: () => undefined, configurable: true });
  }
  try {
    return await import("@peculiar/x509");
  } finally {
    for (const name of names) Reflect.deleteProperty(Reflect, name);
  }
}

/**
 * Makes an authority and one certificate that it signs. The key of the authority is dropped: it
 * signs nothing else, and a copy of the Secret does not suffice to make other certificates.
 */
export function issueCertificate(wanted: Wanted): Promise<Issued> {
  return inRealTime(issue(wanted));
}

async function issue({ hosts, name, notAfterMs, notBeforeMs }: Wanted): Promise<Issued> {
  const x509 = await load();
  const validity = { notBefore: new Date(notBeforeMs), notAfter: new Date(notAfterMs) };
  const [signer, server] = [await generateKeys(), await generateKeys()];
  const serialNumber = createSerial();
  // Distinct names, so that a client finds the one authority that has signed.
  const suffix = ` ${serialNumber.slice(0, 16)}`;
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber,
    name: [{ CN: [`${name.slice(0, maxNameLength - suffix.length)}${suffix}`] }],
    signingAlgorithm: algorithm,
    keys: signer,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(signer.publicKey),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    serialNumber: createSerial(),
    subject: [{ CN: [name] }],
    issuer: authority.subjectName,
    signingAlgorithm: algorithm,
    publicKey: server.publicKey,
    signingKey: signer.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(hosts.map(namedAs)),
      await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
    ],
  });
  const key = await crypto.subtle.exportKey("pkcs8", server.privateKey);
  return {
    authority: certificatesIn(authority.toString("pem"))[0]!,
    certificate: certificatesIn(certificate.toString("pem"))[0]!,
    key: `${x509.PemConverter.encode(key, "PRIVATE KEY")}\n`,
  };
}

/**
 * Reads a certificate that {@link issueCertificate} has made.
 *
 * @returns undefined if it is not one, its key is another one's, or no authority has signed it
 */
export function inspectCertificate(
  { certificate, key }: { readonly certificate: string; readonly key: string },
  authorities: readonly string[],
): Promise<Inspected | undefined> {
  // Certificates of others may have any content, so each failure means the same.
  return inRealTime(inspect(certificate, key, authorities).catch(() => undefined));
}

async function inspect(
  certificate: string,
  key: string,
  authorities: readonly string[],
): Promise<Inspected | undefined> {
  const [pem] = certificatesIn(certificate);
  if (pem === undefined || key === "") return undefined;
  const x509 = await load();
  const leaf = new x509.X509Certificate(pem);
  const publicKey = await leaf.publicKey.export();
  const der = x509.PemConverter.decodeFirst(key);
  const privateKey = await crypto.subtle.importKey("pkcs8", der, algorithm, true, ["sign"]);
  const [one, other] = [await pointOf(publicKey), await pointOf(privateKey)];
  if (one !== other) return undefined;
  for (const authority of authorities) {
    const signer = new x509.X509Certificate(authority);
    const isSigner = await leaf
      .verify({ publicKey: signer.publicKey, signatureOnly: true })
      .catch(() => false);
    if (!isSigner) continue;
    const names = leaf.getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
    return {
      ...{ certificate, key, authority },
      hosts: names.map(({ value }) => hostOf(value)),
      notBeforeMs: Math.max(leaf.notBefore.getTime(), signer.notBefore.getTime()),
      notAfterMs: Math.min(leaf.notAfter.getTime(), signer.notAfter.getTime()),
      fingerprint: toHex(new Uint8Array(await leaf.getThumbprint("SHA-256"))),
    };
  }
  return undefined;
}

async function pointOf(key: CryptoKey): Promise<string> {
  const { x, y } = await crypto.subtle.exportKey("jwk", key);
  return `${x} ${y}`;
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

function createSerial(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(serialBytes));
  // Positive, and without a leading zero.
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return toHex(bytes);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The one form of a host: certificates have addresses as bytes, so their text may differ. */
export function hostOf(host: string): string {
  if (!host.includes(":")) return host.toLowerCase();
  return new URL(`https://[${host}]`).hostname.slice(1, -1);
}

function namedAs(host: string): { readonly type: "dns" | "ip"; readonly value: string } {
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
  return { type: isAddress ? "ip" : "dns", value: host };
}
