import type { JsonObject } from "@listwatch/core-fifo/base";
import type { StatusFault } from "../../control/fault-action.ts";
import type { StatusDetails } from "../../api/api-object.ts";
import { demand, demandInteger } from "./demand.ts";
import type { JsonReader } from "./json-reader.ts";

/** The request a Status answers, as far as its text names it. */
export interface StatusSubject {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

// Reasons and texts as of k8s.io/apimachinery api/errors/errors.go.
const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  409: "Conflict",
  410: "Expired",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};
const messages: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  404: "the server could not find the requested resource",
  410: "The resourceVersion for the provided watch is too old.",
  429: "the server has received too many requests and has asked us to try again later",
  500: "Internal error occurred: a fault was injected",
  503: "the server is currently unable to handle the request",
  504: "request did not complete within the allotted timeout",
};

/**
 * The Status as JSON. With a subject, conflicts, refusals and missing objects name it as the server
 * does.
 */
export function statusObject(fault: StatusFault, subject?: StatusSubject): JsonObject {
  const { code, message, retryAfterSeconds } = fault;
  const reason = fault.reason ?? reasons[code];
  const details = {
    ...(subject === undefined ? {} : subjectDetails(code, subject)),
    ...fault.details,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: message ?? subjectMessage(code, subject) ?? messages[code] ?? "a fault was injected",
    ...(reason === undefined ? {} : { reason }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    code,
  };
}

/** The Status as an answer. */
export function statusResponse(fault: StatusFault, subject?: StatusSubject): Response {
  const headers = new Headers({
    "Cache-Control": "no-cache, private",
    "Content-Type": "application/json",
  });
  if (fault.retryAfterSeconds !== undefined) {
    headers.set("Retry-After", String(fault.retryAfterSeconds));
  }
  return new Response(`${JSON.stringify(statusObject(fault, subject))}\n`, {
    status: fault.code,
    headers,
  });
}

function namesSubject(code: number, { name }: StatusSubject): boolean {
  return name !== "" && (code === 403 || code === 404 || code === 409);
}

function subjectDetails(code: number, subject: StatusSubject): StatusDetails {
  if (!namesSubject(code, subject)) return {};
  const { group, name, resource } = subject;
  return { name, ...(group === "" ? {} : { group }), kind: resource };
}

function subjectMessage(code: number, subject: StatusSubject | undefined): string | undefined {
  if (subject === undefined || !namesSubject(code, subject)) return undefined;
  const { group, name, resource } = subject;
  const object = `${group === "" ? resource : `${resource}.${group}`} "${name}"`;
  if (code === 403) return `${object} is forbidden: a fault was injected`;
  if (code === 404) return `${object} not found`;
  return `Operation cannot be fulfilled on ${object}: the object has been modified; please apply your changes to the latest version and try again`;
}

// Fetch standard, "null body status" without 101 and 103, which a Response cannot have.
const statusesWithoutBody: readonly number[] = [204, 205, 304];

/** True for the codes that a Response takes (Fetch standard, "initialize a response"). */
export function isAnswerStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 200 && code <= 599;
}

/** True for the codes of answers that may have a body. */
export function canHaveBody(code: number): boolean {
  return !statusesWithoutBody.includes(code);
}

/** @throws {@link ControlInputError} for a Status that no answer can have */
export function checkStatus(status: StatusFault, field: string): void {
  const { code, retryAfterSeconds = 0 } = status;
  demand(
    isAnswerStatus(code) && canHaveBody(code),
    `${field}.code`,
    "the code of an answer with a body, 200 to 599",
    code,
  );
  demandInteger(retryAfterSeconds, 0, `${field}.retryAfterSeconds`);
}

/** Reads a Status from JSON, and refuses any other field. */
export function readStatus(reader: JsonReader): StatusFault {
  const status: StatusFault = {
    code: reader.number("code"),
    ...(reader.has("reason") ? { reason: reader.text("reason") } : {}),
    ...(reader.has("message") ? { message: reader.text("message") } : {}),
    ...(reader.has("details") ? { details: reader.object("details") } : {}),
    ...(reader.has("retryAfterSeconds")
      ? { retryAfterSeconds: reader.number("retryAfterSeconds") }
      : {}),
  };
  reader.end();
  return status;
}
