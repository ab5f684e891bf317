import { forbidden, notSupported } from "../validation/field-errors.ts";
import { goQuote } from "../base/go-text.ts";
import { badRequest, invalidOptions, type FieldError } from "../api/errors.ts";

/** The query of a list, watch or collection delete. */
export interface ListOptions {
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly continueToken: string;
  /** 0 = no limit. */
  readonly limit: number;
  readonly timeoutSeconds: number | undefined;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
}

const int64Text = /^[+-]?\d+$/;
const int64Limits = [-(2n ** 63n), 2n ** 63n - 1n] as const;

/**
 * Reads an integer parameter.
 *
 * @throws {ApiError} 400 when it is none.
 */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const complain = (why: string): Error =>
    badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${why}`);
  if (!int64Text.test(text)) throw complain("invalid syntax");
  const value = BigInt(text.replace("+", ""));
  const [min, max] = int64Limits;
  if (value < min || value > max) throw complain("value out of range");
  return Number(value);
}

/** A boolean parameter; undefined when it is not given. */
export function booleanParameter(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text !== "0" && text.toLowerCase() !== "false";
}

/**
 * Reads the options of a list or watch.
 *
 * @throws {ApiError} 400 for numbers that do not parse.
 */
export function parseListOptions(query: URLSearchParams): ListOptions {
  return {
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    continueToken: query.get("continue") ?? "",
    limit: Math.max(0, integerParameter(query, "limit") ?? 0),
    timeoutSeconds: integerParameter(query, "timeoutSeconds"),
    sendInitialEvents: booleanParameter(query, "sendInitialEvents"),
    allowWatchBookmarks: booleanParameter(query, "allowWatchBookmarks") ?? false,
  };
}

/**
 * Refuses combinations that make no sense for a list.
 *
 * @throws {ApiError} 422
 */
export function checkListOptions(options: ListOptions): void {
  const errors: FieldError[] = [];
  const { resourceVersion, resourceVersionMatch: match } = options;
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  if (match !== "") {
    const field = "resourceVersionMatch";
    if (resourceVersion === "") {
      errors.push(forbidden(field, `${field} is forbidden unless resourceVersion is provided`));
    }
    if (options.continueToken !== "") {
      errors.push(forbidden(field, `${field} is forbidden when continue is provided`));
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(notSupported(field, match, ["Exact", "NotOlderThan", ""]));
    } else if (match === "Exact" && resourceVersion === "0") {
      errors.push(forbidden(field, `${field} "exact" is forbidden for resourceVersion "0"`));
    }
  }
  refuse(errors);
}

/**
 * Refuses combinations that make no sense for a watch.
 *
 * @param watchList false where the server acts as one without that feature
 * @throws {ApiError} 422
 */
export function checkWatchOptions(options: ListOptions, watchList: boolean): void {
  const errors: FieldError[] = [];
  const field = "resourceVersionMatch";
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  if (sendInitialEvents !== undefined) {
    if (match !== "NotOlderThan") {
      errors.push(forbidden(field, `sendInitialEvents requires setting ${field} to NotOlderThan`));
    }
    if (!watchList) {
      errors.push(
        forbidden(
          "sendInitialEvents",
          "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
        ),
      );
    }
  }
  if (match !== "") {
    if (sendInitialEvents === undefined) {
      errors.push(
        forbidden(field, `${field} is forbidden for watch unless sendInitialEvents is provided`),
      );
    }
    if (match !== "NotOlderThan") errors.push(notSupported(field, match, ["NotOlderThan"]));
  }
  // The server fills in NotOlderThan for a watch from any state without a match, so a token is
  // refused there as well.
  const defaulted =
    watchList && sendInitialEvents === undefined && ["", "0"].includes(options.resourceVersion);
  if (options.continueToken !== "" && (match !== "" || defaulted)) {
    errors.push(forbidden(field, `${field} is forbidden when continue is provided`));
  }
  refuse(errors);
}

function refuse(errors: readonly FieldError[]): void {
  const refusal = invalidOptions("ListOptions", errors);
  if (refusal !== undefined) throw refusal;
}
