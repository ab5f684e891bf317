import { inRealTime, type Clock, type JsonObject } from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import { goQuote } from "../base/go-text.ts";
import { addressOf, type WebhookAddress } from "./webhook-address.ts";
import { answerComplaint } from "./webhook-answer.ts";
import type { WebhookSettings } from "./webhook-settings.ts";

/** A call of a webhook that has failed. The message is the error of a real server's HTTP client. */
export class WebhookCallError extends Error {
  override readonly name: string = "WebhookCallError";
}

/** The request of a client ran out of time while the server waited for webhooks. */
function requestTimedOut(): ApiError {
  const why = "request did not complete within requested timeout - context deadline exceeded";
  return new ApiError({ code: 504, reason: "Timeout", message: `Timeout: ${why}`, details: {} });
}

/** A call of a webhook. */
export interface WebhookCall {
  /** `clientConfig` of the webhook. */
  readonly config: JsonObject;
  readonly timeoutSeconds: number;
  /** Time on the server's clock at which the request of the client ends, in milliseconds. */
  readonly deadlineMs: number;
  /** An AdmissionReview or ConversionReview. */
  readonly review: JsonObject;
}

/** Calls webhooks over HTTP. Timeouts are counted on the clock of the server. */
export class WebhookClient {
  readonly #settings: WebhookSettings;
  readonly #clock: Clock;

  constructor(settings: WebhookSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /**
   * Posts a review and returns the body of the answer.
   *
   * @throws {WebhookCallError} if nothing answers in time, or with another status than 2xx
   * @throws {ApiError} 504 if the request of the client has run out of time
   */
  async post({ config, deadlineMs, review, timeoutSeconds }: WebhookCall): Promise<string> {
    const leftMs = deadlineMs - this.#clock.now();
    if (leftMs <= 0) throw requestTimedOut();
    const timeoutMs = Math.min(timeoutSeconds * 1000, leftMs);
    // Rounded up to whole seconds: admission/plugin/webhook/mutating/dispatcher.go.
    const address = addressOf(config, this.#settings.services ?? {}, Math.ceil(timeoutMs / 1000));
    const post = `Post ${goQuote(address.url)}`;
    const controller = new AbortController();
    const { promise: expired, reject } = Promise.withResolvers<never>();
    const timer = this.#clock.setTimeout(() => {
      const isRequest = timeoutMs === leftMs;
      const why = new WebhookCallError(`${post}: context deadline exceeded`);
      reject(isRequest ? requestTimedOut() : why);
      controller.abort(why);
    }, timeoutMs);
    try {
      const sent = this.#send(address, review, controller.signal);
      // An answer that comes too late has no reader.
      sent.catch(() => {});
      return await Promise.race([sent, expired]);
    } catch (error) {
      if (error instanceof ApiError || error instanceof WebhookCallError) throw error;
      throw new WebhookCallError(`${post}: ${messageOf(error)}`, { cause: error });
    } finally {
      timer.cancel();
    }
  }

  async #send(address: WebhookAddress, review: JsonObject, signal: AbortSignal): Promise<string> {
    const request = new Request(address.target, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, */*",
        // The name of a real server's client: pkg/util/webhook/authentication.go.
        "user-agent": "kube-apiserver-admission",
      },
      body: `${JSON.stringify(review)}\n`,
      signal,
    });
    const { fetch } = this.#settings;
    const response = await (fetch === undefined
      ? sendOverNetwork(request, address)
      : fetch(request));
    const body = await response.text();
    const complaint = answerComplaint(response, body);
    if (complaint !== undefined) throw new WebhookCallError(complaint);
    return body;
  }
}

// Loaded late: with a `fetch` of the test, nothing goes over the network.
function sendOverNetwork(request: Request, address: WebhookAddress): Promise<Response> {
  const loaded = import("./send-over-https.ts");
  return inRealTime(loaded.then(({ sendOverHttps }) => sendOverHttps(request, address)));
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message;
}
