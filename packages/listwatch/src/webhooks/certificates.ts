/**
 * Certificates of webhooks, made and rotated by the operator, or from files and Secrets:
 * `@listwatch/webhooks/certificates`.
 *
 * @module
 */
export * from "@listwatch/webhooks/certificates";
