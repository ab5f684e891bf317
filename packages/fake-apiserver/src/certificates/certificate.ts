import {
  bitString,
  boolean,
  type Der,
  implicit,
  integer,
  objectId,
  octetString,
  sequence,
  set,
  tagged,
  time,
  utf8String,
} from "./der.ts";

/** The subject or issuer of a certificate. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organizations?: readonly string[] | undefined;
}

/** Contents of a certificate. */
export interface CertificateContents {
  readonly subject: CertificateSubject;
  readonly issuer: CertificateSubject;
  /** The subject's key as SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  /** Key ids of subject and issuer, which strict clients use to find the issuer. */
  readonly subjectKeyId: Uint8Array;
  readonly issuerKeyId: Uint8Array;
  readonly serial: Uint8Array;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** `authority` signs others; the other two identify an end of a connection. */
  readonly use: "authority" | "client" | "server";
  /** Host names and addresses of a server. */
  readonly hosts?: readonly string[] | undefined;
}

/** Signs bytes: ECDSA with SHA-256. Returns two numbers of equal length, like Web Crypto. */
export type Signer = (bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>;

// RFC 5758 §3.2, RFC 5280 §4.2.1 and appendix A.
const ecdsaWithSha256 = "1.2.840.10045.4.3.2";
const commonNameId = "2.5.4.3";
const organizationId = "2.5.4.10";
const subjectKeyIdId = "2.5.29.14";
const keyUsageId = "2.5.29.15";
const subjectAltNameId = "2.5.29.17";
const basicConstraintsId = "2.5.29.19";
const authorityKeyIdId = "2.5.29.35";
const extendedKeyUsageId = "2.5.29.37";
const serverAuthId = "1.3.6.1.5.5.7.3.1";
const clientAuthId = "1.3.6.1.5.5.7.3.2";
// Key usage bits from the left: digitalSignature is the first, keyCertSign the sixth.
const signatureUsage = { bits: Uint8Array.of(0x80), unused: 7 } as const;
const authorityUsage = { bits: Uint8Array.of(0x84), unused: 2 } as const;

const algorithm = sequence(objectId(ecdsaWithSha256));

/** Creates a signed X.509 certificate (RFC 5280). */
export async function createCertificate(contents: CertificateContents, sign: Signer): Promise<Der> {
  const { issuer, notAfter, notBefore, publicKey, serial, subject } = contents;
  const body = sequence(
    // Version 3 is encoded as 2.
    tagged(0, integer([2])),
    integer(serial),
    algorithm,
    name(issuer),
    sequence(time(notBefore), time(notAfter)),
    name(subject),
    publicKey,
    tagged(3, sequence(...extensions(contents))),
  );
  const signature = await sign(body);
  const half = signature.byteLength / 2;
  const numbers = sequence(integer(signature.subarray(0, half)), integer(signature.subarray(half)));
  return sequence(body, algorithm, bitString(numbers));
}

function name({ commonName, organizations = [] }: CertificateSubject): Der {
  const attribute = (id: string, value: string): Der =>
    set(sequence(objectId(id), utf8String(value)));
  return sequence(
    ...organizations.map((organization) => attribute(organizationId, organization)),
    attribute(commonNameId, commonName),
  );
}

function extensions(contents: CertificateContents): readonly Der[] {
  const { hosts = [], issuerKeyId, subjectKeyId, use } = contents;
  const isAuthority = use === "authority";
  const { bits, unused } = isAuthority ? authorityUsage : signatureUsage;
  const list = [
    extension(basicConstraintsId, isAuthority ? sequence(boolean(true)) : sequence()),
    extension(keyUsageId, bitString(bits, unused)),
    extension(subjectKeyIdId, octetString(subjectKeyId)),
    extension(authorityKeyIdId, sequence(implicit(0, issuerKeyId))),
  ];
  if (!isAuthority) {
    const purpose = use === "server" ? serverAuthId : clientAuthId;
    list.push(extension(extendedKeyUsageId, sequence(objectId(purpose))));
  }
  if (hosts.length > 0) list.push(extension(subjectAltNameId, sequence(...hosts.map(hostName))));
  return list;
}

function extension(id: string, value: Der): Der {
  const isCritical = id === basicConstraintsId || id === keyUsageId;
  return sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octetString(value));
}

function hostName(host: string): Der {
  const address = addressBytes(host);
  if (address !== undefined) return implicit(7, address);
  return implicit(2, new TextEncoder().encode(host));
}

function addressBytes(host: string): Uint8Array | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return Uint8Array.from(host.split("."), Number);
  if (!host.includes(":")) return undefined;
  const [before = "", after] = host.split("::");
  const words = (text: string): readonly number[] =>
    text === "" ? [] : text.split(":").map((word) => Number.parseInt(word, 16));
  const head = words(before);
  const tail = words(after ?? "");
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return Uint8Array.from([...head, ...zeros, ...tail].flatMap((word) => [word >> 8, word & 255]));
}
