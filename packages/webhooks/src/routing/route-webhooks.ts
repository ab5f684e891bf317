import {
  aFunction,
  anArrayOf,
  checkOption,
  createInvalidOptionError,
} from "@listwatch/core-fifo/base";
import type { AdmissionHandler } from "../admission/registration.ts";
import type { ConversionHandler } from "../conversion/conversion.ts";
import { statusResponse } from "../review/responses.ts";

/** Any handler of reviews. */
export type WebhookHandler = AdmissionHandler | ConversionHandler;

/** Handlers on their paths. */
export interface WebhookRouter {
  /** Answers the request of an API server with the handler of its path. Never rejects. */
  (request: Request): Promise<Response>;
  /** The handlers, for the configurations. */
  readonly handlers: readonly WebhookHandler[];
}

/**
 * Puts handlers on their paths. A request to another path is answered with 404 and the known ones.
 *
 * ```ts
 * import { routeWebhooks, validating } from "@listwatch/webhooks";
 *
 * const pods = { group: "", version: "v1", resource: "pods" };
 * const router = routeWebhooks([validating(pods, (review) => review.warn("reviewed"))]);
 * const { status } = await router(new Request("https://localhost/other", { method: "POST" }));
 * if (status !== 404) throw new Error(`got ${status}`);
 * ```
 *
 * @param handlers handlers with different paths
 * @throws {InvalidOptionsError} if two handlers have the same path
 */
export function routeWebhooks(handlers: readonly WebhookHandler[]): WebhookRouter {
  checkOption("handlers", handlers, anArrayOf(aFunction, "an array of handlers"));
  const byPath = new Map<string, WebhookHandler>();
  for (const handler of handlers) {
    if (byPath.has(handler.path)) {
      const expected = "another path for each handler, see their option path";
      throw createInvalidOptionError("handlers", expected, handler.path);
    }
    byPath.set(handler.path, handler);
  }
  const route = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const handler = byPath.get(pathname);
    if (handler !== undefined) return handler(request);
    const known = [...byPath.keys()].join(", ");
    const message = `Cannot answer the review: expected one of the paths ${known}, got ${pathname}`;
    return statusResponse(404, "NotFound", message);
  };
  return Object.assign(route, { handlers: [...handlers] });
}
