import { createPrivateKey, X509Certificate } from "node:crypto";
import {
  createCertificateError,
  type ServingCertificate,
} from "../certificates/certificate-source.ts";

/**
 * Checks that a server can use a certificate. Deno accepts any other one as well, and then resets
 * each connection.
 *
 * @throws {ListwatchError} if the key is that of another certificate
 * @throws the error of the runtime if one of them is not PEM
 */
export function checkCertificate({ certificate, key }: ServingCertificate): void {
  if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return;
  throw createCertificateError(
    "Cannot serve webhooks: expected the key of the first certificate, got another one",
    "Put the certificate of the server before those of intermediate authorities",
  );
}
