import { recordOf } from "@listwatch/core-fifo/base";
import {
  asArrayOf,
  asNumber,
  asRecord,
  asText,
  checkMembers,
} from "../resource/checked-members.ts";

/** One of several causes of a failed request. */
export interface StatusCause {
  /** Machine-readable reason, such as `FieldValueRequired` or `FieldManagerConflict`. */
  readonly reason?: string | undefined;
  /** Explanation for people. */
  readonly message?: string | undefined;
  /** Path of the field in the sent object, such as `spec.replicas`. Absent if no field is at fault. */
  readonly field?: string | undefined;
}

/** Kubernetes' Status object, which describes a failure. */
export interface Status {
  /** Always `Status`. */
  readonly kind?: string | undefined;
  /** Always `v1`. */
  readonly apiVersion?: string | undefined;
  /** Metadata of a list, of which a Status only has the token. */
  readonly metadata?:
    | {
        /** Token for the rest of a list whose old token has expired. The rest has a newer state. */
        readonly continue?: string | undefined;
      }
    | undefined;
  /** `Failure`. Deletes and some subresources answer with `Success`. */
  readonly status?: string | undefined;
  /** Explanation for people. Its wording depends on the server's version. */
  readonly message?: string | undefined;
  /** Machine-readable reason, such as a {@link StatusReason}. Several failures can share one `code`. */
  readonly reason?: string | undefined;
  /** Data about the failure. Its members depend on `reason`. */
  readonly details?:
    | {
        /** Name of the object; absent if the request named none. */
        readonly name?: string | undefined;
        /** Usually the plural name of the resource, such as `pods`, despite its name. */
        readonly kind?: string | undefined;
        /** Single causes, such as each invalid field of a write with reason `Invalid`. */
        readonly causes?: readonly StatusCause[] | undefined;
        /**
         * Time to wait before the next attempt, in seconds. The server also sends it as
         * `Retry-After`.
         */
        readonly retryAfterSeconds?: number | undefined;
      }
    | undefined;
  /** HTTP status code that the server suggests for this failure. */
  readonly code?: number | undefined;
}

/** The machine-readable reasons of a failure that apimachinery knows. */
export type StatusReason =
  | "BadRequest"
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "Conflict"
  | "AlreadyExists"
  | "Gone"
  | "Expired"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "Invalid"
  | "TooManyRequests"
  | "InternalError"
  | "StoreReadError"
  | "ServerTimeout"
  | "ServiceUnavailable"
  | "Timeout";

/**
 * apimachinery's reasons, each with the HTTP code that implies it for a Status without a known
 * reason (`NewGenericServerResponse` and `reasonAndCodeForError`, pkg/api/errors/errors.go).
 */
const codeOfReason: Readonly<Record<StatusReason, number | undefined>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  Conflict: 409,
  AlreadyExists: undefined,
  Gone: 410,
  Expired: undefined,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  StoreReadError: undefined,
  ServerTimeout: undefined,
  ServiceUnavailable: 503,
  Timeout: 504,
};

/** Whether a value is a Status object of the API. */
export function isStatus(value: unknown): value is Status {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    value.kind === "Status" &&
    (!("apiVersion" in value) || value.apiVersion === "v1" || value.apiVersion === "meta.k8s.io/v1")
  );
}

/**
 * Returns a Status without members of a wrong type, which a broken server or proxy may send.
 * Returns the same object if there are none.
 */
export function checkStatus(status: unknown): Status {
  return checkMembers(recordOf(status), statusMembers);
}

const statusMembers = {
  kind: asText,
  apiVersion: asText,
  metadata: asRecord({ continue: asText }),
  status: asText,
  message: asText,
  reason: asText,
  details: asRecord({
    name: asText,
    kind: asText,
    causes: asArrayOf(asRecord({ reason: asText, message: asText, field: asText })),
    retryAfterSeconds: asNumber,
  }),
  code: asNumber,
};

/** Whether a Status has this reason or, if its own reason is unknown, the code for it. */
export function hasReason(status: Status, reason: StatusReason): boolean {
  const given = status.reason ?? "";
  if (given === reason) return true;
  const code = codeOfReason[reason];
  return code !== undefined && status.code === code && !Object.hasOwn(codeOfReason, given);
}

/**
 * Whether a Status reports that the watch cache of a resource is not ready, such as that of a new
 * resource.
 */
export function isStorageStarting({ message }: Pick<Status, "message">): boolean {
  return message?.startsWith("storage is (re)initializing") === true;
}

/** Returns the reason for an HTTP code; `""` if there is none. */
export function reasonOfCode(code: number): StatusReason | "" {
  return reasonByCode.get(code) ?? "";
}

const reasonByCode: ReadonlyMap<number, StatusReason> = new Map(
  Object.entries(codeOfReason).flatMap(([reason, code]) =>
    code === undefined || !isReason(reason) ? [] : [[code, reason]],
  ),
);

function isReason(text: string): text is StatusReason {
  return Object.hasOwn(codeOfReason, text);
}
