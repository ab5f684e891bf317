import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { groupResource } from "./registry.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import type { StatusDetails } from "./api-object.ts";
import { ApiError } from "./api-error.ts";

/** The reason of a cause in a 422. */
export type FieldErrorReason =
  | "FieldValueRequired"
  | "FieldValueInvalid"
  | "FieldValueTypeInvalid"
  | "FieldValueNotSupported"
  | "FieldValueForbidden"
  | "FieldValueDuplicate"
  | "FieldValueNotFound"
  | "FieldValueTooLong"
  | "FieldValueTooMany"
  | "InternalError";

/**
 * One reason why an object is invalid; `message` is the server's text without the field ("Invalid
 * value: 5: must be less than 3").
 */
export interface FieldError {
  readonly reason: FieldErrorReason;
  readonly field: string;
  readonly message: string;
  /** Loads what the message lacks, and returns the whole. @default the message is whole */
  readonly complete?: (() => Promise<string>) | undefined;
}

/** The names of a resource in the texts of refusals. */
export type ResourceNames = Pick<ResourceDefinition, "group" | "plural" | "kind">;

/** The group of the kinds of request options (ListOptions, DeleteOptions …). */
const metaGroup = "meta.k8s.io";

/** The object does not exist. */
export function notFound(names: ResourceNames, name: string): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: `${groupResource(names)} "${name}" not found`,
    details: resourceDetails(names, name),
  });
}

/** A create of a name that is taken. */
export function alreadyExists(names: ResourceNames, name: string, terminating: boolean): ApiError {
  const prefix = terminating ? "object is being deleted: " : "";
  return new ApiError({
    code: 409,
    reason: "AlreadyExists",
    message: `${prefix}${groupResource(names)} "${name}" already exists`,
    details: resourceDetails(names, name),
  });
}

/** All attempts at generating a name hit taken ones. */
export function generatedNameTaken(names: ResourceNames, name: string): ApiError {
  return new ApiError({
    code: 409,
    reason: "AlreadyExists",
    message: `${groupResource(names)} "${name}" already exists, the server was not able to generate a unique name for the object`,
    details: { ...resourceDetails(names, name), retryAfterSeconds: 1 },
  });
}

/** A write that lost against another one. `why` is the text after the object's name. */
export function conflict(names: ResourceNames, name: string, why: string): ApiError {
  return new ApiError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${groupResource(names)} "${name}": ${why}`,
    details: resourceDetails(names, name),
  });
}

/** An apply that would change what others own. */
export function applyConflict(report: {
  readonly message: string;
  readonly causes: StatusDetails["causes"];
}): ApiError {
  const { causes, message } = report;
  return new ApiError({ code: 409, reason: "Conflict", message, details: { causes } });
}

/** The resourceVersion of a write is not the stored one. */
export function staleVersion(names: ResourceNames, name: string): ApiError {
  return conflict(
    names,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

/** A precondition of a delete does not hold; the server puts the kind where others have the plural. */
export function failedPrecondition(names: ResourceNames, name: string, why: string): ApiError {
  return new ApiError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${qualified(names.kind, names.group)} "${name}": ${why}`,
    details: details(names.group, names.kind, name),
  });
}

// Not a member of the error, which programs may see.
const completions = new WeakMap<ApiError, () => Promise<ApiError>>();

/** An invalid object. `kind` is the kind of the data, which a client may have got wrong. */
export function invalid(
  group: string,
  kind: string,
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const reported = firstErrors(errors);
  const causes = reported.map(({ reason, message, field }) => ({ reason, message, field }));
  const texts = new Set(reported.map(({ field, message }) => `${field}: ${message}`));
  const joined = [...texts].join(", ");
  const error = new ApiError({
    code: 422,
    reason: "Invalid",
    message: `${qualified(kind, group)} "${name}" is invalid: ${texts.size === 1 ? joined : `[${joined}]`}`,
    details: { ...details(group, kind, name), causes },
  });
  if (reported.some(({ complete }) => complete !== undefined)) {
    completions.set(error, async () => {
      const whole = reported.map(async ({ complete, field, message, reason }) => {
        return { field, message: (await complete?.()) ?? message, reason };
      });
      return invalid(group, kind, name, await Promise.all(whole));
    });
  }
  return error;
}

/** Loads what the messages of a refusal lack, and returns the refusal with whole messages. */
export async function completeError(error: ApiError): Promise<ApiError> {
  return (await completions.get(error)?.()) ?? error;
}

// Each of thousands of errors may list thousands of values. A real server returns them all.
const maxErrorCharacters = 1_048_576;

function firstErrors(errors: readonly FieldError[]): readonly FieldError[] {
  let characters = 0;
  const end = errors.findIndex(
    ({ message }) => (characters += message.length) > maxErrorCharacters,
  );
  return end < 0 ? errors : errors.slice(0, Math.max(end, 1));
}

/** Invalid request options; throws nothing and returns undefined when there is no error. */
export function invalidOptions(kind: string, errors: readonly FieldError[]): ApiError | undefined {
  return errors.length === 0 ? undefined : invalid(metaGroup, kind, "", errors);
}

/** The request cannot be understood. */
export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: "BadRequest", message });
}

/** 400 for an object of another namespace than that of the path. */
export function namespaceMismatch(): ApiError {
  return badRequest(
    "the namespace of the provided object does not match the namespace sent on the request",
  );
}

/** The few 500 answers that have a message but no reason. */
export function plainServerError(message: string): ApiError {
  return new ApiError({ code: 500, message });
}

/** Something went wrong inside the server. */
export function internalError(message: string): ApiError {
  return new ApiError({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

/** The credentials of a request are invalid or missing. */
export function unauthorized(): ApiError {
  return new ApiError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

/** An action that is not allowed on the object. */
export function forbidden(names: ResourceNames, name: string, why: string): ApiError {
  return new ApiError({
    code: 403,
    reason: "Forbidden",
    message: `${groupResource(names)} "${name}" is forbidden: ${why}`,
    details: resourceDetails(names, name),
  });
}

/** A write that an admission plugin refuses, in the words of a webhook. */
export function admissionDenied(
  name: string,
  verdict: {
    readonly code?: number | undefined;
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
  },
): ApiError {
  const { code = 403, message = "" } = verdict;
  const { reason = code === 403 ? "Forbidden" : undefined } = verdict;
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const words = message === "" ? `${denied} without explanation` : `${denied}: ${message}`;
  return new ApiError({ code, reason, message: words });
}

/**
 * The refusal of an admission webhook: k8s.io/apiserver
 * pkg/admission/plugin/webhook/errors/statuserror.go.
 *
 * @param status the Status in its answer
 */
export function webhookDenied(name: string, status: JsonObject = {}): ApiError {
  const { code, details: given, message, reason } = status;
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const words = [message, reason].find((one) => typeof one === "string" && one !== "");
  return new ApiError({
    code: typeof code === "number" && code >= 400 ? code : 400,
    reason: typeof reason === "string" && reason !== "" ? reason : undefined,
    message: typeof words === "string" ? `${denied}: ${words}` : `${denied} without explanation`,
    details: isRecord(given) ? given : undefined,
  });
}

/** A create in a namespace that is being deleted. */
export function namespaceTerminating(
  names: ResourceNames,
  name: string,
  namespace: string,
): ApiError {
  const text = `namespace ${namespace} is being terminated`;
  return new ApiError({
    code: 403,
    reason: "Forbidden",
    message: `${groupResource(names)} "${name}" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated`,
    details: {
      ...resourceDetails(names, name),
      causes: [{ reason: "NamespaceTerminating", message: text, field: "metadata.namespace" }],
    },
  });
}

/** A resource version from the future that did not come within the server's patience. */
export function tooLargeResourceVersion(requested: string, current: string): ApiError {
  return new ApiError({
    code: 504,
    reason: "Timeout",
    message: `Timeout: Too large resource version: ${requested}, current: ${current}`,
    details: {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  });
}

/** A revision the server has forgotten. */
export function expired(message: string, continueToken?: string): ApiError {
  const base = { code: 410, reason: "Expired", message };
  return new ApiError(continueToken === undefined ? base : { ...base, continueToken });
}

/** A method the collection or object does not have, in the words of custom resources. */
export function unsupportedVerb(names: ResourceNames, verb: string): ApiError {
  return new ApiError({
    code: 405,
    reason: "MethodNotAllowed",
    message: `${verb} is not supported on resources of kind "${groupResource(names)}"`,
    details: details(names.group, names.plural, ""),
  });
}

/** A method the path does not have, in the words of built-in resources. */
export function methodNotAllowed(): ApiError {
  return new ApiError({
    code: 405,
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });
}

/** A path below a known group that names nothing. */
export function unknownPath(): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
}

/** A delete that a disruption budget does not allow now. `why` is the cause. */
export function disruptionRefused(why: string, retryAfterSeconds?: number): ApiError {
  return new ApiError({
    code: 429,
    reason: "TooManyRequests",
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [{ reason: "DisruptionBudget", message: why }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  });
}

/** Nothing is there to take the request on. */
export function serviceUnavailable(message: string): ApiError {
  return new ApiError({ code: 503, reason: "ServiceUnavailable", message });
}

/** A body in a format the server does not read. */
export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  return new ApiError({
    code: 415,
    reason: "UnsupportedMediaType",
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  });
}

/** A patch of a built-in resource in a format that the server does not read. */
export function unsupportedPatchType(): ApiError {
  return new ApiError({
    code: 415,
    reason: "UnsupportedMediaType",
    message: "415: Unsupported Media Type",
    details: {},
  });
}

/** No clause of the Accept header can be served. */
export function notAcceptable(accepted: readonly string[]): ApiError {
  return new ApiError({
    code: 406,
    reason: "NotAcceptable",
    message: `only the following media types are accepted: ${accepted.join(", ")}`,
  });
}

/** No clause of the Accept header names a type that a route of a built-in resource has. */
export function notRoutable(available: readonly string[]): ApiError {
  return new ApiError({
    code: 406,
    reason: "NotAcceptable",
    message: `406: Not Acceptable\n\nAvailable representations: ${available.join(", ")}`,
    details: {},
  });
}

/** A body above the limit. */
export function tooLarge(limit: number): ApiError {
  return new ApiError({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: `Request entity too large: limit is ${limit}`,
  });
}

function resourceDetails(names: ResourceNames, name: string): StatusDetails {
  return details(names.group, names.plural, name);
}

function details(group: string, kind: string, name: string): StatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(group === "" ? {} : { group }),
    ...(kind === "" ? {} : { kind }),
  };
}

function qualified(name: string, group: string): string {
  return group === "" ? name : `${name}.${group}`;
}

/**
 * Whether an error means that input is nested too deeply for the stack. Runtimes have no class for
 * it; parsers that catch it keep the message.
 */
export function isStackOverflow({ message }: { readonly message: string }): boolean {
  return /maximum call stack|too much recursion/i.test(message);
}

/** A selector the server refuses. The message is that of its 400 answer. */
export class SelectorError extends Error {
  override readonly name: string = "SelectorError";
}
