import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { FieldError } from "../api/errors.ts";
import { count, objects, text, texts } from "../base/read-fields.ts";
import { invalid, invalidStruct, required } from "../validation/field-errors.ts";
import { checkDnsLabel, checkDnsSubdomain, checkLabelValue } from "../validation/names.ts";
import { checkTemplateMeta } from "../validation/template-meta.ts";
import { checkText } from "../validation/values.ts";
import { checkDriverName } from "./csi.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

// Rules for claims for devices and their templates and classes: k8s.io/kubernetes
// pkg/apis/resource/validation/validation.go. What its tags declare is checked by
// declared-rules.ts; expressions of selectors are not compiled.

/** Rules for ResourceClaims, whose spec does not change. */
export const resourceClaimRules: ObjectRules = {
  create: ({ spec }) => checkClaim("spec", recordOf(spec)),
  update: () => [],
  status: ({ status }) =>
    objects(status, "devices").flatMap(({ data }, index) =>
      checkJsonObject(`status.devices[${index}].data`, data),
    ),
};

/** Rules for ResourceClaimTemplates. A changed one is refused with all that is wrong with it. */
export const resourceClaimTemplateRules: ObjectRules = rulesOf(
  ({ spec }: ApiObject) => {
    const { metadata, spec: claim } = recordOf(spec);
    return [
      ...checkTemplateMeta("spec.metadata", recordOf(metadata)),
      ...checkClaim("spec.spec", recordOf(claim)),
    ];
  },
  {
    first: "check",
    changes: ({ spec }, stored) => {
      if (isJsonEqual(spec, stored["spec"])) return [];
      const type = "resource.ResourceClaimTemplateSpec";
      return [invalidStruct("spec", type, recordOf(spec), "field is immutable")];
    },
  },
);

/** Rules for DeviceClasses. */
export const deviceClassRules: ObjectRules = rulesOf(({ spec }: ApiObject) => [
  ...objects(spec, "selectors").flatMap((selector, index) =>
    checkSelector(`spec.selectors[${index}]`, selector),
  ),
  ...objects(spec, "config").flatMap((config, index) =>
    checkConfiguration(`spec.config[${index}]`, config),
  ),
]);

function checkClaim(field: string, claim: JsonObject): readonly FieldError[] {
  const devices = recordOf(claim["devices"]);
  const at = `${field}.devices`;
  const names = requestNames(devices);
  const referring = ["constraints", "config"].flatMap((list) =>
    objects(devices, list).flatMap((item, index) =>
      checkReferences(`${at}.${list}[${index}].requests`, texts(item, "requests"), names),
    ),
  );
  return [
    ...objects(devices, "requests").flatMap((request, index) =>
      checkRequest(`${at}.requests[${index}]`, request),
    ),
    ...objects(devices, "constraints").flatMap((constraint, index) =>
      checkConstraint(`${at}.constraints[${index}]`, constraint),
    ),
    ...referring,
    ...objects(devices, "config").flatMap((config, index) =>
      checkConfiguration(`${at}.config[${index}]`, config),
    ),
  ];
}

/** Names of requests and, after a slash, of the alternatives in them. */
function requestNames(devices: JsonObject): ReadonlySet<string> {
  return new Set(
    objects(devices, "requests").flatMap((request) => {
      const name = text(request, "name");
      const alternatives = objects(request, "firstAvailable");
      return [name].concat(alternatives.map((one) => `${name}/${text(one, "name")}`));
    }),
  );
}

function checkRequest(field: string, request: JsonObject): readonly FieldError[] {
  const { exactly } = request;
  const alternatives = objects(request, "firstAvailable");
  const errors = checkText(`${field}.name`, text(request, "name"), checkDnsLabel);
  const choice = "exactly one of `exactly` or `firstAvailable` is required";
  if (isRecord(exactly) && alternatives.length > 0) {
    return [...errors, invalid(field, null, `${choice}, but multiple fields are set`)];
  }
  if (isRecord(exactly)) return [...errors, ...checkDevices(`${field}.exactly`, exactly)];
  if (alternatives.length === 0) return [...errors, required(field, choice)];
  const inside = alternatives.flatMap((one, index) => {
    const at = `${field}.firstAvailable[${index}]`;
    const name = checkText(`${at}.name`, text(one, "name"), checkDnsLabel);
    return name.concat(checkDevices(at, one));
  });
  return [...errors, ...inside];
}

/** How many devices of which class, in a request or in an alternative of it. */
function checkDevices(field: string, request: JsonObject): readonly FieldError[] {
  const { allocationMode } = request;
  const name = text(request, "deviceClassName");
  const at = `${field}.deviceClassName`;
  const errors = name === "" ? [required(at)] : checkText(at, name, checkDnsSubdomain);
  const number = count(request, "count");
  if (allocationMode === "All" && number !== 0) {
    const problem = "must not be specified when allocationMode is 'All'";
    errors.push(invalid(`${field}.count`, number, problem));
  }
  if (allocationMode === "ExactCount" && number <= 0) {
    errors.push(invalid(`${field}.count`, number, "must be greater than zero"));
  }
  for (const [index, selector] of objects(request, "selectors").entries()) {
    errors.push(...checkSelector(`${field}.selectors[${index}]`, selector));
  }
  for (const [index, toleration] of objects(request, "tolerations").entries()) {
    errors.push(...checkTolerated(`${field}.tolerations[${index}].value`, toleration));
  }
  return errors;
}

function checkSelector(field: string, { cel }: JsonObject): readonly FieldError[] {
  return isRecord(cel) ? [] : [required(`${field}.cel`)];
}

function checkTolerated(field: string, toleration: JsonObject): readonly FieldError[] {
  const value = text(toleration, "value");
  const operator = text(toleration, "operator");
  if (operator === "Equal") return checkText(field, value, checkLabelValue);
  const isEmpty = operator !== "Exists" || value === "";
  return isEmpty ? [] : [invalid(field, value, "must be empty for operator `Exists`")];
}

function checkConstraint(field: string, constraint: JsonObject): readonly FieldError[] {
  const { distinctAttribute, matchAttribute } = constraint;
  if (matchAttribute !== undefined || distinctAttribute !== undefined) return [];
  const names = 'exactly one of "matchAttribute" or "distinctAttribute" is required';
  return [required(field, `${names}, but multiple fields are set`)];
}

function checkReferences(
  field: string,
  references: readonly string[],
  names: ReadonlySet<string>,
): readonly FieldError[] {
  const problem =
    "must be the name of a request in the claim or the name of a request and a subrequest " +
    "separated by '/'";
  return references.flatMap((reference, index) => {
    const at = `${field}[${index}]`;
    const parts = reference.split("/");
    const errors =
      parts.length > 2 ? [] : parts.flatMap((one) => checkText(at, one, checkDnsLabel));
    return names.has(reference) ? errors : [...errors, invalid(at, reference, problem)];
  });
}

/** Checks the settings for a driver. */
function checkConfiguration(field: string, { opaque }: JsonObject): readonly FieldError[] {
  if (!isRecord(opaque)) return [required(`${field}.opaque`)];
  const at = `${field}.opaque`;
  const { parameters } = opaque;
  const errors = [...checkDriverName(`${at}.driver`, text(opaque, "driver"))];
  if (parameters === undefined || parameters === null) errors.push(required(`${at}.parameters`));
  return [...errors, ...checkJsonObject(`${at}.parameters`, parameters)];
}

// Go decodes any JSON.
function checkJsonObject(field: string, value: unknown): FieldError[] {
  if (value === undefined || value === null || isRecord(value)) return [];
  return [invalid(field, "<value omitted>", "must be a valid JSON object")];
}
