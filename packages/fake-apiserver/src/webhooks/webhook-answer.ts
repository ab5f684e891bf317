import { isRecord } from "@listwatch/core-fifo/base";
import { goQuote } from "../base/go-text.ts";
import { text } from "../base/read-fields.ts";

// k8s.io/client-go rest/request.go: `maxUnstructuredResponseTextBytes`.
const longestText = 2048;

// k8s.io/apimachinery pkg/api/errors: `NewGenericServerResponse`.
const generic: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/**
 * Returns what a real server's client says of an answer that is not 2xx or has no body; undefined
 * for one that can be decoded.
 */
export function answerComplaint(response: Response, body: string): string | undefined {
  const { headers, status } = response;
  const type = headers.get("content-type") ?? "";
  if (status >= 200 && status <= 206) {
    if (body !== "") return undefined;
    const shown = type === "" ? "application/json" : type;
    return `0-length response with status code: ${status} and content type: ${shown}`;
  }
  const failure = statusMessage(body);
  if (failure !== undefined) return failure;
  const isText = type === "" || type.startsWith("text/");
  const message = isText ? body.slice(0, longestText).trim() : "unknown";
  if (status === 403 || status === 415) return message;
  if (status === 406) {
    const unable = "the server was unable to respond with a content type that the client supports";
    return message === "" || message === "unknown" ? unable : message;
  }
  const known = generic[status];
  if (known !== undefined) return known;
  if (status >= 500) {
    return `an error on the server (${goQuote(message)}) has prevented the request from succeeding`;
  }
  return `the server responded with the status code ${status} but did not return more information`;
}

// A Status in the body takes precedence.
function statusMessage(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isFailure =
      isRecord(value) && value["kind"] === "Status" && value["status"] === "Failure";
    return isFailure ? text(value, "message") : undefined;
  } catch {
    return undefined;
  }
}
