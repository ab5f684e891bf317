/**
 * Admission and conversion webhooks: `@listwatch/webhooks`.
 *
 * @module
 */
export * from "@listwatch/webhooks";
