/** Answers a request; the global `fetch` and the `fetch` of many servers have this shape. */
export type WebhookFetch = (request: Request) => Response | Promise<Response>;

/** Calls of admission and conversion webhooks by a {@link FakeApiServer}. */
export interface WebhookSettings {
  /**
   * Receives the requests that a real server sends to webhooks: a POST with an AdmissionReview or a
   * ConversionReview, and `?timeout=10s`. A service without an entry in `services` has the address
   * `https://NAME.NAMESPACE.svc:PORT/PATH`. The signal of the request aborts at its timeout.
   *
   * @default HTTPS that trusts `caBundle` where Node's modules exist, otherwise the global `fetch`
   */
  readonly fetch?: WebhookFetch | undefined;
  /**
   * Addresses of services by `NAMESPACE/NAME` or `NAMESPACE/NAME:PORT`, such as
   * `https://localhost:9443`. Certificates are still checked for `NAME.NAMESPACE.svc`.
   *
   * @default {}
   */
  readonly services?: Readonly<Record<string, string>> | undefined;
}
