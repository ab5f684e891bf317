import type { ResourceReference } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import {
  anArrayOf,
  anObject,
  checkOptions,
  describeError,
  describeValue,
  isInstance,
  isRecord,
  type JsonObject,
  type OptionCheck,
  type OptionsOf,
  recordOf,
  stringOf,
  systemClock,
  withTimeLimit,
} from "@listwatch/core-fifo/base";
import { errorReport } from "../admission/answer-review.ts";
import {
  aPath,
  defaultTimeoutMarginMs,
  type WebhookHandlerOptions,
  handlerTable,
} from "../admission/webhook-options.ts";
import { BadReviewError } from "../review/bad-review-error.ts";
import { readReview, type ReviewType } from "../review/read-review.ts";
import { badReviewResponse, reviewResponse } from "../review/responses.ts";
import { timeLimitOf } from "../review/time-limit.ts";
import { type ConversionRegistration, Converter } from "./converter.ts";

/** A version of a custom resource, and its conversions to and from the hub. */
export interface ConvertedVersion<Hub = unknown> {
  /** Handle of the resource in this version. */
  readonly resource: ResourceReference<unknown>;
  /** Called with an object of this version. Returns it in the version of the hub. */
  readonly toHub: (object: never) => Hub | Promise<Hub>;
  /** Called with an object in the version of the hub. Returns it in this version. */
  readonly fromHub: (object: Hub) => unknown;
}

/** Conversions between a version and the hub. */
export interface VersionConversions<T, Hub> {
  /** Called with an object of this version. Returns it in the version of the hub. */
  readonly toHub: (object: T) => Hub | Promise<Hub>;
  /** Called with an object in the version of the hub. Returns it in this version. */
  readonly fromHub: (object: Hub) => T | Promise<T>;
}

/** Options of {@link conversion}. */
export interface ConversionOptions<Hub = unknown> extends WebhookHandlerOptions {
  /** Handle of the resource in the version that all others are converted through. */
  readonly hub: ResourceReference<Hub>;
  /** The other versions, see {@link convertedVersion}. */
  readonly versions: readonly ConvertedVersion<Hub>[];
  /** Path of the handler. @default `/convert/GROUP/RESOURCE` */
  readonly path?: string | undefined;
}

/** A handler of ConversionReviews. */
export interface ConversionHandler {
  /** Answers the request of an API server. Never rejects. */
  (request: Request): Promise<Response>;
  /** Path of the handler, such as `/convert/example.com/widgets`. */
  readonly path: string;
  /** Content of the conversion of the CustomResourceDefinition. */
  readonly registration: ConversionRegistration;
}

const reviewType: ReviewType = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "ConversionReview",
};
// A list that the server reads from etcd is converted in one review.
const defaultMaxBodyBytes = 64 * 1024 * 1024;
const aHandle: OptionCheck = (value) =>
  ["group", "version", "resource"].every((name) => typeof recordOf(value)[name] === "string")
    ? undefined
    : "a handle, or an object with group, version and resource";
const conversionTable: OptionsOf<ConversionOptions> = {
  ...handlerTable,
  hub: aHandle,
  versions: anArrayOf(anObject, "an array of versions"),
  path: aPath,
};

/**
 * Describes a version of a custom resource for {@link conversion}. The handles type both functions.
 *
 * @param resource handle of the resource in this version
 * @param conversions functions to and from the hub
 */
export function convertedVersion<T, Hub>(
  resource: ResourceReference<T>,
  conversions: VersionConversions<T, Hub>,
): ConvertedVersion<Hub> {
  return { resource, ...conversions };
}

/**
 * Creates a handler of ConversionReviews, which converts objects of a custom resource between its
 * versions, always through one version, the hub.
 *
 * The functions receive copies, which they may change and return. They set neither `apiVersion` nor
 * `kind`. Of `metadata` a server lets a conversion change only labels and annotations; metadata
 * that a function leaves out is that of its argument. A function that throws fails the whole
 * review, with the name of the object. What one version cannot express must be kept elsewhere, such
 * as in an annotation: an object that is read in a version and written back loses it otherwise.
 *
 * ```ts
 * import { defineResource } from "@listwatch/client";
 * import { conversion, convertedVersion } from "@listwatch/webhooks";
 *
 * const define = <T>(version: string) =>
 *   defineResource<T>({
 *     group: "example.com",
 *     version,
 *     resource: "widgets",
 *     kind: "Widget",
 *     scope: "Namespaced",
 *   });
 * const handler = conversion({
 *   hub: define<{ readonly spec: { readonly size: number } }>("v2"),
 *   versions: [
 *     convertedVersion(define<{ readonly size: string }>("v1"), {
 *       toHub: ({ size }) => ({ spec: { size: Number(size) } }),
 *       fromHub: ({ spec }) => ({ size: String(spec.size) }),
 *     }),
 *   ],
 * });
 * if (handler.path !== "/convert/example.com/widgets") throw new Error(handler.path);
 * ```
 *
 * @throws {InvalidOptionsError} if an option cannot be used, or two versions are equal
 */
export function conversion<Hub = KubernetesObject>(
  options: ConversionOptions<Hub>,
): ConversionHandler {
  checkOptions(options, conversionTable, ["hub", "versions"]);
  const { hub, maxBodyBytes = defaultMaxBodyBytes, versions } = options;
  const { path = `/convert/${hub.group}/${hub.resource}` } = options;
  const { clock = systemClock, timeoutMarginMs = defaultTimeoutMarginMs } = options;
  const converter = new Converter(hub, versions);
  const report = errorReport(`convert.${hub.resource}.${hub.group}`, options);
  const answer = async (request: Request): Promise<Response> => {
    let received: ReceivedConversion;
    try {
      received = await receive(request, maxBodyBytes, converter);
    } catch (error) {
      report(error);
      const isBad = isInstance(error, BadReviewError);
      return badReviewResponse(
        isBad ? error : new BadReviewError("a complete body", describeError(error)),
      );
    }
    const { desired, objects, uid } = received;
    const limitMs = timeLimitOf(request.url, timeoutMarginMs);
    try {
      const convertedObjects = await withTimeLimit(
        { clock, limitMs, signal: request.signal },
        (signal) => converter.convertAll(objects, desired, signal),
      );
      const result = { status: "Success" };
      return reviewResponse(reviewType, { uid, convertedObjects, result });
    } catch (error) {
      report(error);
      const result = { status: "Failure", message: describeError(error) };
      return reviewResponse(reviewType, { uid, convertedObjects: [], result });
    }
  };
  return Object.assign(answer, { path, registration: converter.registration });
}

interface ReceivedConversion {
  readonly uid: string;
  readonly desired: string;
  readonly objects: readonly JsonObject[];
}

async function receive(
  request: Request,
  maxBodyBytes: number,
  converter: Converter,
): Promise<ReceivedConversion> {
  const { request: content, uid } = await readReview(request, reviewType, maxBodyBytes);
  const { desiredAPIVersion: desired, objects } = content;
  if (!Array.isArray(objects) || !objects.every(isRecord)) {
    throw new BadReviewError("an array of objects as request.objects", describeValue(objects));
  }
  converter.check(desired, "request.desiredAPIVersion");
  for (const object of objects) converter.check(object["apiVersion"], "apiVersion of each object");
  return { uid, desired: stringOf(desired), objects };
}
