import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { count, objects, text, texts } from "../../base/read-fields.ts";
import { forbidden, invalid, required } from "../../validation/field-errors.ts";
import { checkListed, checkNotNegative, checkPort, checkText } from "../../validation/values.ts";

const schemes = ["HTTP", "HTTPS"];
const seconds = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];

/** The probes and lifecycle hooks of a container that runs as long as its pod. */
export function checkHandlers(
  at: string,
  container: JsonObject,
  gracePeriod: number,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { lifecycle } = container;
  for (const name of ["postStart", "preStop"]) {
    const hook = recordOf(lifecycle)[name];
    if (isRecord(hook)) errors.push(...checkHandler(`${at}.lifecycle.${name}`, hook, gracePeriod));
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = container[name];
    if (isRecord(probe)) errors.push(...checkProbe(`${at}.${name}`, name, probe, gracePeriod));
  }
  return errors;
}

function checkProbe(
  field: string,
  name: string,
  probe: JsonObject,
  gracePeriod: number,
): readonly FieldError[] {
  const errors = [
    ...checkHandler(field, probe, gracePeriod),
    ...seconds.flatMap((member) => checkNotNegative(`${field}.${member}`, probe[member])),
  ];
  const grace = probe["terminationGracePeriodSeconds"];
  const graceField = `${field}.terminationGracePeriodSeconds`;
  if (typeof grace === "number" && grace <= 0) {
    errors.push(invalid(graceField, grace, "must be greater than 0"));
  }
  if (name === "readinessProbe") {
    if (grace !== undefined) {
      errors.push(invalid(graceField, grace, "must not be set for readinessProbes"));
    }
  } else if (probe["successThreshold"] !== 1) {
    const threshold = count(probe, "successThreshold");
    errors.push(invalid(`${field}.successThreshold`, threshold, "must be 1"));
  }
  return errors;
}

// In the order of the server: what comes after the first one is forbidden.
const handlerNames = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"] as const;

function checkHandler(
  field: string,
  handler: JsonObject,
  gracePeriod: number,
): readonly FieldError[] {
  const [first, ...others] = handlerNames.filter((name) => isRecord(handler[name]));
  if (first === undefined) return [required(field, "must specify a handler type")];
  return [
    ...checkAction(`${field}.${first}`, first, recordOf(handler[first]), gracePeriod),
    ...others.map((name) =>
      forbidden(`${field}.${name}`, "may not specify more than 1 handler type"),
    ),
  ];
}

function checkAction(
  field: string,
  name: (typeof handlerNames)[number],
  action: JsonObject,
  gracePeriod: number,
): readonly FieldError[] {
  switch (name) {
    case "exec":
      return texts(action, "command").length === 0 ? [required(`${field}.command`)] : [];
    case "httpGet":
      return checkHttpGet(field, action);
    case "tcpSocket":
    case "grpc":
      return checkPort(`${field}.port`, action["port"]);
    case "sleep":
    default: {
      const duration = count(action, "seconds");
      if (duration >= 0 && duration <= gracePeriod) return [];
      const most = `terminationGracePeriodSeconds (${gracePeriod})`;
      return [invalid(field, duration, `must be non-negative and less than ${most}`)];
    }
  }
}

function checkHttpGet(field: string, action: JsonObject): readonly FieldError[] {
  return [
    ...(text(action, "path") === "" ? [required(`${field}.path`)] : []),
    ...checkPort(`${field}.port`, action["port"]),
    ...checkListed(`${field}.scheme`, action["scheme"], schemes),
    ...objects(action, "httpHeaders").flatMap((header) =>
      checkText(`${field}.httpHeaders`, text(header, "name"), checkHeaderName),
    ),
  ];
}

const headerProblem =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

function checkHeaderName(name: string): readonly string[] {
  return /^[-A-Za-z0-9]+$/.test(name) ? [] : [headerProblem];
}
