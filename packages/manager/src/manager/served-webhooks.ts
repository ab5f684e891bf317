/** A server of webhooks: what `serveWebhooks` of `@listwatch/webhooks/node` resolves with. */
export interface ServedWebhooks {
  /** Whether API servers may call it. */
  readonly isReady: boolean;
  /** Ends the readiness, goes on for a while, and then closes. */
  close(): Promise<void>;
}

/**
 * Starts a server of webhooks. It resolves once the server has a certificate and listens.
 *
 * @param signal aborted when the manager stops before
 */
export type StartWebhooks = (signal: AbortSignal) => Promise<ServedWebhooks>;
