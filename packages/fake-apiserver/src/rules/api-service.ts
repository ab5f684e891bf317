import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { goQuote } from "../base/go-text.ts";
import { count, flag, objects, text } from "../base/read-fields.ts";
import { invalid, notSupported, required } from "../validation/field-errors.ts";
import { checkDns1035Label, checkDnsSubdomain } from "../validation/names.ts";
import { checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

const maxGroupPriority = 20_000;
const maxVersionPriority = 1000;
const maxPort = 65_535;
const statuses = ["True", "False", "Unknown"];

/** Rules for APIServices (k8s.io/kube-aggregator pkg/apis/apiregistration/validation). */
export const apiServiceRules: ObjectRules = rulesOf(checkApiService, {
  status: (service) =>
    objects(service, "status", "conditions").flatMap((condition, index) => {
      const status = text(condition, "status");
      const field = `status.conditions[${index}].status`;
      return statuses.includes(status) ? [] : [notSupported(field, status, statuses)];
    }),
});

function checkApiService({ metadata: { name = "" }, ...service }: ApiObject): FieldError[] {
  const spec = recordOf(service["spec"]);
  const group = text(spec, "group");
  const version = text(spec, "version");
  const errors: FieldError[] = [];
  const expected = `${version}.${group}`;
  if (name !== expected) {
    const problem = `must be \`spec.version+"."+spec.group\`: ${goQuote(expected)}`;
    errors.push(invalid("metadata.name", name, problem));
  }
  if (group !== "") errors.push(...checkText("spec.group", group, checkDnsSubdomain));
  else if (version !== "v1") {
    const detail = "only v1 may have an empty group and it better be legacy kube";
    errors.push(required("spec.group", detail));
  }
  errors.push(...checkText("spec.version", version, checkDns1035Label));
  for (const [member, most] of [
    ["groupPriorityMinimum", maxGroupPriority],
    ["versionPriority", maxVersionPriority],
  ] as const) {
    const priority = count(spec, member);
    if (priority > 0 && priority <= most) continue;
    errors.push(invalid(`spec.${member}`, priority, `must be positive and less than ${most}`));
  }
  return [...errors, ...checkBackend(spec)];
}

function checkBackend(spec: Readonly<Record<string, unknown>>): readonly FieldError[] {
  const { service } = spec;
  const skipsVerify = flag(spec, "insecureSkipTLSVerify");
  const bundle = text(spec, "caBundle");
  const field = "spec.insecureSkipTLSVerify";
  const errors: FieldError[] = [];
  if (!isRecord(service)) {
    if (bundle !== "") {
      const shown = `${Math.floor((bundle.replace(/=+$/, "").length * 3) / 4)} bytes`;
      errors.push(invalid("spec.caBundle", shown, "local APIServices may not have a caBundle"));
    }
    const problem = "local APIServices may not have insecureSkipTLSVerify";
    if (skipsVerify) errors.push(invalid(field, true, problem));
    return errors;
  }
  for (const name of ["namespace", "name"]) {
    if (text(service, name) === "") errors.push(required(`spec.service.${name}`));
  }
  const port = count(service, "port");
  if (port < 1 || port > maxPort) {
    const problem = `port is not valid: must be between 1 and ${maxPort}, inclusive`;
    errors.push(invalid("spec.service.port", port, problem));
  }
  if (skipsVerify && bundle !== "") {
    errors.push(invalid(field, true, "may not be true if caBundle is present"));
  }
  return errors;
}
