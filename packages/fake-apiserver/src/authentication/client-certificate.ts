/** What a certificate says of the client that has shown it. */
export interface ClientCertificate {
  /** The name of the user. */
  readonly commonName: string;
  /** The groups of the user. */
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, in lower case hexadecimal digits. */
  readonly fingerprint: string;
}

// Beside the request and not in a header of it, which a client could send.
const certificates = new WeakMap<Request, ClientCertificate>();

/** Notes the certificate that was shown on the connection of a request, and is one of ours. */
export function noteCertificate(request: Request, certificate: ClientCertificate): void {
  certificates.set(request, certificate);
}

/** The certificate that was shown on the connection of a request. */
export function certificateOf(request: Request): ClientCertificate | undefined {
  return certificates.get(request);
}
