/**
 * Certificates of webhooks: from files that are read again, from a Secret that is watched, or made
 * and rotated by the operator itself.
 *
 * @module
 */
export type { CertificateSource, ServingCertificate } from "./certificates/certificate-source.ts";
export {
  certificatesFromSecret,
  type SecretCertificateOptions,
} from "./certificates/certificates-from-secret.ts";
export {
  certificatesFromFiles,
  type FileCertificateOptions,
} from "./certificates/node-certificates-from-files.ts";
export { rotatedCertificates } from "./certificates/rotated-certificates.ts";
export type {
  CertificateTimes,
  RotatedCertificateOptions,
} from "./certificates/rotated-options.ts";
