/**
 * Serves webhooks over HTTPS on Node, Deno and Bun, with certificates from files that are read
 * again.
 *
 * @module
 */
export {
  certificatesFromFiles,
  type FileCertificateOptions,
} from "./certificates/node-certificates-from-files.ts";
export {
  serveWebhooks,
  type ServeWebhooksOptions,
  type WebhookServer,
} from "./serving/node-serve-webhooks.ts";
export type { CertificateSource, ServingCertificate } from "./certificates/certificate-source.ts";
