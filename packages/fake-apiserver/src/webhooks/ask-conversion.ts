import type { Clock, JsonObject } from "@listwatch/core-fifo/base";
import { text } from "../base/read-fields.ts";
import {
  checkConverted,
  ConversionError,
  type ConversionRequest,
  conversionReview,
  readConverted,
} from "./conversion-review.ts";
import { WebhookCallError, WebhookClient } from "./webhook-client.ts";
import type { WebhookSettings } from "./webhook-settings.ts";

/** A conversion webhook, and how it is called. */
export interface ConversionCall {
  readonly config: JsonObject;
  readonly reviewVersions: readonly string[];
  readonly timeoutSeconds: number;
  readonly settings: WebhookSettings;
  readonly clock: Clock;
}

/**
 * Asks a webhook to convert objects, and checks its answer.
 *
 * @throws {Error} with the message of a real server
 */
export async function askConversion(
  { clock, config, reviewVersions, settings, timeoutSeconds }: ConversionCall,
  request: ConversionRequest,
): Promise<readonly JsonObject[]> {
  const { desiredAPIVersion, objects } = request;
  const review = conversionReview(request, reviewVersions);
  const [first] = objects;
  const start = `conversion webhook for ${text(first, "apiVersion")}, Kind=${text(first, "kind")}`;
  const converted = await askOnce().catch((error: unknown) => {
    const isAnswered = error instanceof ConversionError || error instanceof WebhookCallError;
    throw isAnswered ? new ConversionError(`${start} failed: ${error.message}`) : error;
  });
  if (converted.length !== objects.length) {
    const counts = `returned ${converted.length} objects, expected ${objects.length}`;
    throw new ConversionError(`${start} ${counts}`);
  }
  return objects.map((object, index) => {
    const checked = checkConverted(converted[index], object, desiredAPIVersion);
    if (typeof checked !== "string") return checked;
    throw new ConversionError(`${start} returned ${checked}`);
  });

  async function askOnce(): Promise<readonly unknown[]> {
    const client = new WebhookClient(settings, clock);
    // No deadline but that of the client counts: the server converts also without a request.
    const call = { config, timeoutSeconds, deadlineMs: Infinity, review };
    return readConverted(await client.post(call), request, review);
  }
}
