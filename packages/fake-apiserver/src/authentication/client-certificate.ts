import type { UserInfo } from "../api/access.ts";
import { authenticated } from "./user-info.ts";

/** The client that has shown a certificate. */
export interface ClientCertificate {
  /** Name of the user. */
  readonly commonName: string;
  /** Groups of the user. */
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, in lower-case hexadecimal digits. */
  readonly fingerprint: string;
}

// Stored outside the request's headers, which a client could forge.
const certificates = new WeakMap<Request, ClientCertificate>();

/** Records the verified client certificate of a request's connection. */
export function noteCertificate(request: Request, certificate: ClientCertificate): void {
  certificates.set(request, certificate);
}

/** Returns the client certificate of a request's connection. */
export function certificateOf(request: Request): ClientCertificate | undefined {
  return certificates.get(request);
}

/** The user of a certificate. */
export function userOfCertificate({
  commonName,
  fingerprint,
  organizations,
}: ClientCertificate): UserInfo {
  return authenticated({
    username: commonName,
    groups: organizations,
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
  });
}
