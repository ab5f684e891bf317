import { type CertificateSubject, createCertificate, type Signer } from "./certificate.ts";
import { encodePem } from "../base/bytes.ts";

const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
const signAlgorithm = { name: "ECDSA", hash: "SHA-256" } as const;
const dayMs = 86_400_000;
// kubeadm issues certificates for one year. The margin allows for differing clocks.
const validityMs = 365 * dayMs;
const toleranceMs = dayMs;
// RFC 5280 §4.1.2.2: at most 20 bytes.
const serialBytes = 16;
// RFC 7093 §2: first 160 bits of a hash.
const keyIdBytes = 20;

/** A certificate and its private key as PEM. */
export interface Credentials {
  readonly certificate: string;
  readonly key: string;
}

/** Signs the certificates of a server and its clients, and exists as long as they do. */
export class CertificateAuthority {
  /** The authority's certificate as PEM, which clients trust. */
  readonly certificate: string;
  readonly #issuer: Issuer;

  private constructor(issuer: Issuer, certificate: string) {
    this.#issuer = issuer;
    this.certificate = certificate;
  }

  /** Creates a key and a self-signed certificate. */
  static async create(commonName: string): Promise<CertificateAuthority> {
    const { privateKey, publicKey } = await generateKeys();
    const sign: Signer = async (bytes) =>
      new Uint8Array(await crypto.subtle.sign(signAlgorithm, privateKey, bytes));
    const subject = { commonName };
    const issuer = { subject, keyId: await keyIdOf(publicKey), sign };
    const certificate = await issue(issuer, { subject, publicKey, use: "authority" });
    return new CertificateAuthority(issuer, certificate);
  }

  /** Issues server credentials for host names and addresses. */
  issueServer(hosts: readonly string[]): Promise<Credentials> {
    return this.#issue({ subject: { commonName: "kube-apiserver" }, use: "server", hosts });
  }

  /** Issues client credentials: the common name is the user, the organizations are the groups. */
  issueClient(subject: CertificateSubject): Promise<Credentials> {
    return this.#issue({ subject, use: "client" });
  }

  async #issue(wanted: Omit<Wanted, "publicKey">): Promise<Credentials> {
    const { privateKey, publicKey } = await generateKeys();
    const certificate = await issue(this.#issuer, { ...wanted, publicKey });
    const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
    return { certificate, key: encodePem("PRIVATE KEY", key) };
  }
}

interface Issuer {
  readonly subject: CertificateSubject;
  readonly keyId: Uint8Array;
  readonly sign: Signer;
}

interface Wanted {
  readonly subject: CertificateSubject;
  readonly publicKey: CryptoKey;
  readonly use: "authority" | "client" | "server";
  readonly hosts?: readonly string[] | undefined;
}

async function issue(issuer: Issuer, { publicKey, ...wanted }: Wanted): Promise<string> {
  // The machine's clock: the programs that verify certificates use it.
  const now = Date.now();
  const contents = {
    ...wanted,
    issuer: issuer.subject,
    publicKey: new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)),
    subjectKeyId: await keyIdOf(publicKey),
    issuerKeyId: issuer.keyId,
    serial: crypto.getRandomValues(new Uint8Array(serialBytes)),
    notBefore: now - toleranceMs,
    notAfter: now + validityMs,
  };
  return encodePem("CERTIFICATE", await createCertificate(contents, issuer.sign));
}

async function keyIdOf(key: CryptoKey): Promise<Uint8Array> {
  const encoded = await crypto.subtle.exportKey("spki", key);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoded)).subarray(0, keyIdBytes);
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(keyAlgorithm, true, ["sign", "verify"]);
}
