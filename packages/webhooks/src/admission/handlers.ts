import type {
  JsonPatch,
  ResourceReference,
  SubresourceName,
  SubresourceOf,
} from "@listwatch/client";
import { checkResource } from "@listwatch/client/base";
import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import {
  aFunction,
  checkOption,
  checkOptions,
  createInvalidOptionError,
  describeValue,
  isRecord,
} from "@listwatch/core-fifo/base";
import { createJsonPatch } from "../patch/create-patch.ts";
import { BadReviewError } from "../review/bad-review-error.ts";
import type { ReviewOperation, ReviewRequest } from "./admission-request.ts";
import { answerWith, type Reviewer } from "./answer-review.ts";
import type { AdmissionHandler, AdmissionRegistration } from "./registration.ts";
import type { OpenReview, Review } from "./review.ts";
import {
  type MutatingOptions,
  mutatingTable,
  type ValidatingOptions,
  validatingTable,
} from "./webhook-options.ts";

/** Type of the reviewed objects: those of a resource, or of one of its subresources. */
export type Reviewed<T, Sub, Name> = [Name] extends [never] ? T : SubresourceOf<Sub, Name>;

/**
 * Creates a handler of AdmissionReviews that allows or refuses requests for one resource. By
 * default it reviews creates and updates, patches and applies included.
 *
 * The handler answers a `Request` and needs no server, so the same one is tested in process and
 * deployed. A request that is not a review of this resource is answered with 400. A function that
 * throws, or is late, is a denial with code 500 or 504, whatever the failure policy is: the policy
 * is for calls that bring no review.
 *
 * ```ts
 * import { defineResource } from "@listwatch/client";
 * import { validating } from "@listwatch/webhooks";
 *
 * interface Widget {
 *   readonly metadata: { readonly name: string; readonly namespace: string };
 *   readonly spec: { readonly size: number };
 * }
 * const widgets = defineResource<Widget>({
 *   group: "example.com",
 *   version: "v1",
 *   resource: "widgets",
 *   kind: "Widget",
 *   scope: "Namespaced",
 * });
 * const handler = validating(widgets, (review) => {
 *   if (review.object.spec.size > 10) review.deny("size must be 10 at most");
 * });
 * if (handler.path !== "/validate/example.com/v1/widgets") throw new Error(handler.path);
 * ```
 *
 * @param resource handle of the resource, which types the objects
 * @param review called with each review; may wait
 * @throws {InvalidOptionsError} if an option cannot be used
 */
export function validating<
  T = KubernetesObject,
  S extends Scope = Scope,
  Sub = unknown,
  const Op extends ReviewOperation = "CREATE" | "UPDATE",
  const Name extends SubresourceName<Sub> = never,
>(
  resource: ResourceReference<T, S, Sub>,
  review: (review: Review<Reviewed<T, Sub, Name>, Op>) => void | Promise<void>,
  options: ValidatingOptions<Op, Name> = {},
): AdmissionHandler {
  checkOption("review", review, aFunction);
  checkOptions(options, validatingTable);
  const decide = async (open: OpenReview): Promise<undefined> => {
    // The check of each request ensures that it is of this resource and operation.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    await review(open.review as Review<Reviewed<T, Sub, Name>, Op>);
  };
  return createHandler("validating", resource, options, decide);
}

/**
 * Creates a handler of AdmissionReviews that changes the objects of requests for one resource, and
 * can refuse them, see {@link validating}. The function changes `object` in place, or returns
 * another one. The difference is the patch of the answer; a denied request has none. A delete has
 * no object to change.
 *
 * ```ts
 * import { mutating } from "@listwatch/webhooks";
 *
 * const maps = { group: "", version: "v1", resource: "configmaps" };
 * const handler = mutating(maps, ({ object }) => {
 *   return { ...object, metadata: { ...object.metadata, labels: { reviewed: "yes" } } };
 * });
 * if (handler.path !== "/mutate/v1/configmaps") throw new Error(handler.path);
 * ```
 *
 * @param resource handle of the resource, which types the objects
 * @param review called with each review; may wait
 * @throws {InvalidOptionsError} if an option cannot be used
 */
export function mutating<
  T = KubernetesObject,
  S extends Scope = Scope,
  Sub = unknown,
  const Op extends ReviewOperation = "CREATE" | "UPDATE",
  const Name extends SubresourceName<Sub> = never,
>(
  resource: ResourceReference<T, S, Sub>,
  review: (
    review: Review<Reviewed<T, Sub, Name>, Op>,
  ) => Reviewed<T, Sub, Name> | void | Promise<Reviewed<T, Sub, Name> | void>,
  options: MutatingOptions<Op, Name> = {},
): AdmissionHandler {
  checkOption("review", review, aFunction);
  checkOptions(options, mutatingTable);
  const decide = async (open: OpenReview): Promise<JsonPatch | undefined> => {
    const { object } = open.review.request;
    const before: unknown = structuredClone(object);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const returned = await review(open.review as Review<Reviewed<T, Sub, Name>, Op>);
    if (object === null || !open.decision.isAllowed) return undefined;
    return createJsonPatch(before, plainJson(returned ?? object));
  };
  return createHandler("mutating", resource, options, decide);
}

/** The object as JSON carries it. @throws {TypeError} if it is not an object */
export function plainJson(object: unknown): unknown {
  if (isRecord(object)) return JSON.parse(JSON.stringify(object));
  throw new TypeError(`expected an object from the handler, got ${describeValue(object)}`);
}

function createHandler(
  type: AdmissionRegistration["type"],
  resource: ResourceReference<unknown>,
  options: MutatingOptions,
  decide: Reviewer["decide"],
): AdmissionHandler {
  checkResource(resource);
  const { operations = ["CREATE", "UPDATE"], subresource = "" } = options;
  if (operations.length === 0) {
    throw createInvalidOptionError("operations", "at least one operation", operations);
  }
  const verb = type === "mutating" ? "mutate" : "validate";
  const { group, resource: plural, version } = resource;
  const parts = [verb, group, version, plural, subresource].filter((part) => part !== "");
  const named = [verb, subresource, plural, group === "" ? "core" : group];
  const {
    name = named
      .filter((part) => part !== "")
      .join(".")
      .toLowerCase(),
  } = options;
  const { path = `/${parts.join("/")}` } = options;
  const check = (request: ReviewRequest): void => {
    checkReviewed(request, resource, subresource);
    if (operations.includes(request.operation)) return;
    const expected = `the operation ${operations.join(" or ")}`;
    throw new BadReviewError(expected, describeValue(request.operation));
  };
  const rule = {
    operations,
    apiGroups: [group],
    apiVersions: [version],
    resources: [subresource === "" ? plural : `${plural}/${subresource}`],
    scope: resource.scope ?? "*",
  } as const;
  return withRegistration(answerWith({ name, check, decide }, options), path, {
    ...registrationOf(options),
    type,
    name,
    rules: [rule],
  });
}

/** Adds the members of a handler to a function. */
export function withRegistration(
  answer: (request: Request) => Promise<Response>,
  path: string,
  registration: AdmissionRegistration,
): AdmissionHandler {
  return Object.assign(answer, { path, registration });
}

/** The options that go into a configuration. */
export function registrationOf(
  options: MutatingOptions,
): Omit<AdmissionRegistration, "name" | "rules" | "type"> {
  const { failurePolicy, matchConditions, matchPolicy, namespaceSelector } = options;
  const { objectSelector, reinvocationPolicy, sideEffects, timeoutSeconds } = options;
  return {
    failurePolicy,
    matchConditions,
    matchPolicy,
    namespaceSelector,
    objectSelector,
    reinvocationPolicy,
    sideEffects,
    timeoutSeconds,
  };
}

function checkReviewed(
  request: ReviewRequest,
  { group, resource, version }: ResourceReference<unknown>,
  subresource: string,
): void {
  const { resource: got, subResource = "" } = request;
  const expected = describeResource({ group, resource, version }, subresource);
  const actual = describeResource(got, subResource);
  if (actual !== expected) throw new BadReviewError(`a review of ${expected}`, `one of ${actual}`);
}

function describeResource(
  { group, resource, version }: ReviewRequest["resource"],
  subresource: string,
): string {
  return [group, version, resource, subresource].filter((part) => part !== "").join("/");
}
