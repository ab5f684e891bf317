import { invalid as invalidObject, type FieldError } from "../../api/errors.ts";
import { text } from "../../base/read-fields.ts";
import type { PodLogOptions } from "../../control/pods.ts";
import { booleanParameter, integerParameter } from "../../input/list-options.ts";
import { plainTextType } from "../../output/result.ts";
import { forbidden, invalid } from "../../validation/field-errors.ts";
import { existingObject } from "../get.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { containerOf } from "./container.ts";

/** GET of a pod's log: the one that the test has set. */
export async function readLog(request: ResourceRequest): Promise<Response> {
  const { core, definition, info, store } = request;
  const options = readOptions(info.query);
  const errors = [...checkOptions(options), ...checkStream(info.query)];
  if (errors.length > 0) throw invalidObject("", "PodLogOptions", info.name, errors);
  const { object: pod } = existingObject(definition, store, info);
  const container = containerOf(pod, info.query.get("container") ?? "");
  // Nothing runs that could have written a log.
  if (text(pod, "spec", "nodeName") === "") return new Response(null, { status: 204 });
  const { signal } = info.request;
  const content = await core.pods.readLog({ pod, container, options, signal });
  return new Response(content, { headers: { "content-type": plainTextType } });
}

function readOptions(query: URLSearchParams): PodLogOptions {
  return {
    follow: booleanParameter(query, "follow") ?? false,
    previous: booleanParameter(query, "previous") ?? false,
    timestamps: booleanParameter(query, "timestamps") ?? false,
    sinceSeconds: integerParameter(query, "sinceSeconds"),
    sinceTime: query.get("sinceTime") || undefined,
    tailLines: integerParameter(query, "tailLines"),
    limitBytes: integerParameter(query, "limitBytes"),
  };
}

// Choosing one of the streams is a feature that is not on by default (KEP-3288).
function checkStream(query: URLSearchParams): readonly FieldError[] {
  const isGiven = (query.get("stream") ?? "") !== "";
  return isGiven ? [forbidden("stream", "may not be specified")] : [];
}

// k8s.io/kubernetes pkg/apis/core/validation: `ValidatePodLogOptions`.
function checkOptions(options: PodLogOptions): readonly FieldError[] {
  const { limitBytes, sinceSeconds, sinceTime, tailLines } = options;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalid("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalid("limitBytes", limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbidden("", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid("sinceSeconds", sinceSeconds, "must be greater than 0"));
  }
  return errors;
}
