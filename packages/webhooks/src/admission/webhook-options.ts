import {
  aClock,
  aFunction,
  aLog,
  anArrayOf,
  anInteger,
  anObject,
  aNumber,
  aString,
  type Clock,
  type Log,
  oneOf,
  type OptionCheck,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { ReviewOperation } from "./admission-request.ts";

/** A condition in CEL that the server evaluates before it calls a webhook. */
export interface MatchCondition {
  /** Name of the condition, unique in its webhook. */
  readonly name: string;
  /** Expression in CEL, such as `object.spec.size > 1`. */
  readonly expression: string;
}

/** A selector of labels, as in a webhook configuration. */
export interface WebhookSelector {
  /** Labels with exactly these values. @default none */
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  /** Conditions on labels, all of which must hold. @default none */
  readonly matchExpressions?:
    | readonly {
        /** Name of the label. */
        readonly key: string;
        /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
        readonly operator: string;
        /** Values of `In` and `NotIn`. */
        readonly values?: readonly string[] | undefined;
      }[]
    | undefined;
}

/** The part of a handler's options that goes into the configuration of its webhook. */
export interface WebhookRegistrationOptions {
  /**
   * Name of the webhook: a domain name with at least three parts, which refusals begin with.
   *
   * @default `validate.RESOURCE.GROUP`, or `mutate.…`, with `core` for the core group
   */
  readonly name?: string | undefined;
  /** Path of the handler. @default `/validate/GROUP/VERSION/RESOURCE`, or `/mutate/…` */
  readonly path?: string | undefined;
  /**
   * Effect of a call that brings no review, as of an unreachable webhook, a timeout or another code
   * than 200. `Fail` refuses the request, `Ignore` continues without the webhook. A handler that
   * throws has answered: its denial counts with either.
   *
   * @default "Fail"
   */
  readonly failurePolicy?: "Fail" | "Ignore" | undefined;
  /**
   * Whether the handler has effects outside of the object. `NoneOnDryRun` promises none while
   * `dryRun` is true. Servers refuse a dry run before webhooks of any other kind.
   *
   * @default "None"
   */
  readonly sideEffects?: "None" | "NoneOnDryRun" | undefined;
  /** Conditions in CEL, all of which must be true for a call. @default none */
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  /** Selects objects by their labels. Users can avoid the webhook with other labels. @default all */
  readonly objectSelector?: WebhookSelector | undefined;
  /** Selects objects by the labels of their namespaces. @default all */
  readonly namespaceSelector?: WebhookSelector | undefined;
  /** Time that the server waits for an answer, in seconds from 1 to 30. @default 10 */
  readonly timeoutSeconds?: number | undefined;
  /** `Exact` excludes requests to other versions of the resource. @default "Equivalent" */
  readonly matchPolicy?: "Equivalent" | "Exact" | undefined;
}

/** Options of a handler that do not go into a configuration. */
export interface WebhookHandlerOptions {
  /** Largest body that is read, in bytes. @default 7 MiB; 64 MiB for conversions */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Part of the server's timeout that is reserved for the way back of the answer, in milliseconds.
   * A handler has the timeout minus this margin, but at least half of the timeout.
   *
   * @default 500
   */
  readonly timeoutMarginMs?: number | undefined;
  /** Clock of the time limit. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Called with each error of the handler, and with a `BadReviewError` for each request that is not
   * a review of the handler. Without it, errors go to `log`.
   *
   * @default the log
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Receives errors if there is no `onError`. @default consoleLog */
  readonly log?: Log | undefined;
}

/** Options of {@link validating}. */
export interface ValidatingOptions<
  Op extends ReviewOperation = ReviewOperation,
  Name extends string = string,
>
  extends WebhookRegistrationOptions, WebhookHandlerOptions {
  /** Operations that are reviewed. @default ["CREATE", "UPDATE"] */
  readonly operations?: readonly Op[] | undefined;
  /** Subresource that is reviewed instead of the resource, such as `scale`. @default none */
  readonly subresource?: Name | undefined;
}

/** Options of {@link mutating}. */
export interface MutatingOptions<
  Op extends ReviewOperation = ReviewOperation,
  Name extends string = string,
> extends ValidatingOptions<Op, Name> {
  /**
   * `IfNeeded` calls the handler again if another webhook has changed the object after it. It must
   * make no further change then.
   *
   * @default "Never"
   */
  readonly reinvocationPolicy?: "IfNeeded" | "Never" | undefined;
}

/** controller-runtime, pkg/webhook/admission/http.go: two objects of 3 MB, and 1 MB for the rest. */
export const defaultMaxBodyBytes: number = 7 * 1024 * 1024;
export const defaultTimeoutMarginMs: number = 500;

const operations: readonly ReviewOperation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

export const aPath: OptionCheck = (value) =>
  typeof value === "string" && /^\/[^?#]*$/.test(value) ? undefined : "a path such as /validate";
// apimachinery, util/validation `IsFullyQualifiedName`, as configurations require it.
const aWebhookName: OptionCheck = (value) =>
  typeof value === "string" &&
  /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?){2,}$/.test(value)
    ? undefined
    : "a domain name with at least three parts";
const seconds: OptionCheck = (value) =>
  anInteger(1)(value) === undefined && Number(value) <= 30 ? undefined : "an integer from 1 to 30";

export const handlerTable: OptionsOf<WebhookHandlerOptions> = {
  maxBodyBytes: aNumber(1),
  timeoutMarginMs: aNumber(0),
  clock: aClock,
  onError: aFunction,
  log: aLog,
};

const selectorTable: OptionsOf<WebhookSelector> = {
  matchLabels: anObject,
  matchExpressions: anArrayOf(anObject, "an array of conditions"),
};

export const validatingTable: OptionsOf<ValidatingOptions> = {
  ...handlerTable,
  name: aWebhookName,
  path: aPath,
  failurePolicy: oneOf("Fail", "Ignore"),
  sideEffects: oneOf("None", "NoneOnDryRun"),
  matchConditions: anArrayOf(anObject, "an array of conditions"),
  objectSelector: selectorTable,
  namespaceSelector: selectorTable,
  timeoutSeconds: seconds,
  matchPolicy: oneOf("Equivalent", "Exact"),
  operations: anArrayOf(oneOf(...operations), `an array of ${operations.join(", ")}`),
  subresource: aString,
};

export const mutatingTable: OptionsOf<MutatingOptions> = {
  ...validatingTable,
  reinvocationPolicy: oneOf("IfNeeded", "Never"),
};
