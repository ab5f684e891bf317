/**
 * Serves webhooks over HTTPS on Node, Deno and Bun: `@listwatch/webhooks/node`.
 *
 * @module
 */
export * from "@listwatch/webhooks/node";
