import type { StatusCause } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import {
  anInteger,
  anything,
  aString,
  checkOption,
  checkOptions,
  createInvalidOptionError,
  isRecord,
  type JsonObject,
  type MutableJsonObject,
  type OptionsOf,
  someStrings,
} from "@listwatch/core-fifo/base";
import type { ReviewOperation, ReviewRequest, ReviewUser } from "./admission-request.ts";

/** Details of a refusal. */
export interface DenyOptions {
  /** HTTP status code of the refusal, from 400 to 599. @default 403 */
  readonly code?: number | undefined;
  /**
   * Machine-readable reason, such as `Invalid`.
   *
   * @default the reason of the code, such as `Forbidden` of 403
   */
  readonly reason?: string | undefined;
  /** Single causes, such as each invalid field. @default none */
  readonly causes?: readonly StatusCause[] | undefined;
}

/** Details of an approval. */
export interface AllowOptions {
  /** Warnings for the client, such as `spec.size is deprecated`. @default none */
  readonly warnings?: readonly string[] | undefined;
  /**
   * Annotations of the audit event, by key. The server prefixes keys with the webhook's name.
   *
   * @default none
   */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}

/** Parts of a review that do not depend on its operation. */
export interface ReviewBase {
  /** Id of this review. A repeated call of the webhook has another one. */
  readonly uid: string;
  /** Name of the object; `""` for a create with `generateName`, and for a deleted collection. */
  readonly name: string;
  /** Namespace of the object; `""` for cluster-scoped resources. A namespace is in itself. */
  readonly namespace: string;
  /** Subresource of the request, such as `scale`; `""` for the resource itself. */
  readonly subresource: string;
  /** Sender of the request. */
  readonly user: ReviewUser;
  /** Whether nothing is stored. A handler with effects outside of the object must skip them. */
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The whole `request` of the AdmissionReview. */
  readonly request: ReviewRequest;
  /** Aborts at the time limit of the review. */
  readonly signal: AbortSignal;
  /**
   * Allows the request. A handler that returns without a denial does the same; a denial stays.
   *
   * @param options warnings and annotations, added to those before
   */
  allow(options?: AllowOptions): void;
  /**
   * Refuses the request. The first refusal of a review counts, even if the handler goes on.
   *
   * @param message reason for the client, which sees it behind the name of the webhook
   * @param options code, reason and causes
   */
  deny(message: string, options?: DenyOptions): void;
  /**
   * Adds a warning, which clients such as kubectl print. Servers shorten warnings of more than 256
   * characters once a response has more than 4096 of them.
   *
   * @param message one line, without the word "Warning"
   */
  warn(message: string): void;
  /**
   * Adds an annotation to the audit event of the request.
   *
   * @param key name without a slash; the server prefixes it with the name of the webhook
   * @param value text of the annotation
   */
  audit(key: string, value: string): void;
}

/** A review of operations `Op` on objects of type `T`. The `operation` tells the types apart. */
export type Review<T, Op extends ReviewOperation> = Op extends ReviewOperation
  ? ReviewBase & {
      /** Operation of the request. */
      readonly operation: Op;
      /** The object as it would be stored; null for a delete. For a connect, its options. */
      readonly object: Op extends "DELETE" ? null : Op extends "CONNECT" ? object : T;
      /** The stored object; null for a create and a connect. */
      readonly oldObject: Op extends "UPDATE" | "DELETE" ? Cached<T> : null;
    }
  : never;

const denyTable: OptionsOf<DenyOptions> = {
  code: (code) =>
    anInteger(400)(code) === undefined && Number(code) < 600
      ? undefined
      : "a number from 400 to 599",
  reason: aString,
  causes: (causes) => (Array.isArray(causes) ? undefined : "an array of causes"),
};
const allowTable: OptionsOf<AllowOptions> = { warnings: someStrings, auditAnnotations: anything };

// The reasons that apimachinery has for these codes (`NewGenericServerResponse`).
const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** The decision about a request so far. */
export class Decision {
  #status: JsonObject | undefined;
  readonly #warnings: string[] = [];
  readonly #auditAnnotations: Record<string, string> = {};

  /** Whether the request is not refused. */
  get isAllowed(): boolean {
    return this.#status === undefined;
  }

  /** @throws {InvalidOptionsError} */
  allow(options: AllowOptions = {}): void {
    checkOptions(options, allowTable);
    const { auditAnnotations = {}, warnings = [] } = options;
    for (const warning of warnings) this.warn(warning);
    for (const [key, value] of Object.entries(auditAnnotations)) this.audit(key, value);
  }

  /** @throws {InvalidOptionsError} */
  deny(message: string, options: DenyOptions = {}): void {
    checkOption("message", message, aString);
    checkOptions(options, denyTable);
    const { causes, code = 403, reason = reasons[code] } = options;
    this.#status ??= {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message,
      ...(reason === undefined ? {} : { reason }),
      code,
      ...(causes === undefined ? {} : { details: { causes } }),
    };
  }

  /** @throws {InvalidOptionsError} */
  warn(message: string): void {
    checkOption("message", message, aString);
    this.#warnings.push(message);
  }

  /** @throws {InvalidOptionsError} */
  audit(key: string, value: string): void {
    if (typeof key !== "string" || key === "" || key.includes("/")) {
      throw createInvalidOptionError("key", "a name without a slash", key);
    }
    checkOption(`auditAnnotations.${key}`, value, aString);
    this.#auditAnnotations[key] = value;
  }

  /** The members of an AdmissionResponse, but for its uid and patch. */
  toResponse(): MutableJsonObject {
    return {
      allowed: this.isAllowed,
      ...(this.#status === undefined ? {} : { status: this.#status }),
      ...(this.#warnings.length === 0 ? {} : { warnings: this.#warnings }),
      ...(Object.keys(this.#auditAnnotations).length === 0
        ? {}
        : { auditAnnotations: this.#auditAnnotations }),
    };
  }
}

/** A review, and the decision that its methods make. */
export interface OpenReview {
  readonly review: Review<unknown, ReviewOperation>;
  readonly decision: Decision;
}

/** Presents a request to a handler. The handler may change the object of the request. */
export function openReview(request: ReviewRequest, signal: AbortSignal): OpenReview {
  const decision = new Decision();
  const base: ReviewBase = {
    uid: request.uid,
    name: request.name ?? "",
    namespace: request.namespace ?? "",
    subresource: request.subResource ?? "",
    user: request.userInfo,
    dryRun: request.dryRun === true,
    options: isRecord(request.options) ? request.options : {},
    request,
    signal,
    allow: (options) => decision.allow(options),
    deny: (message, options) => decision.deny(message, options),
    warn: (message) => decision.warn(message),
    audit: (key, value) => decision.audit(key, value),
  };
  const { object, oldObject, operation } = request;
  // The types of object and operation belong together in each request of a server.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const review = { ...base, operation, object, oldObject } as Review<unknown, ReviewOperation>;
  return { review, decision };
}
