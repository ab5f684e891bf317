import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { exceedsBytes } from "../base/go-text.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import { parseAddress } from "../validation/addresses.ts";
import { forbidden, invalid, notSupported, required, tooLong } from "../validation/field-errors.ts";
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  checkPortName,
  checkWildcardSubdomain,
} from "../validation/names.ts";
import {
  checkDomainPath,
  checkImmutable,
  checkListed,
  checkPortNumber,
  checkText,
} from "../validation/values.ts";
import { checkLoadBalancerStatus } from "./load-balancer-status.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

const classAnnotation = "kubernetes.io/ingress.class";
const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];
// pkg/apis/networking/validation: what a path may not contain, and how it may not end.
const forbiddenParts = ["//", "/./", "/../", "%2f", "%2F"];
const forbiddenEnds = ["/..", "/."];

/** Rules for Ingresses. */
export const ingressRules: ObjectRules = {
  ...rulesOf(checkIngress, {
    status: (ingress) =>
      checkLoadBalancerStatus(
        "status.loadBalancer.ingress",
        objects(ingress, "status", "loadBalancer", "ingress"),
      ),
    warnings: ({ metadata }, stored) =>
      stored === undefined && metadata.annotations?.[classAnnotation] !== undefined
        ? [
            `annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`,
          ]
        : [],
  }),
  create: (ingress) => [...checkClasses(ingress), ...checkIngress(ingress)],
};

/** Rules for IngressClasses. */
export const ingressClassRules: ObjectRules = rulesOf(
  (ingressClass) => checkIngressClass(recordOf(ingressClass["spec"])),
  {
    changes: (ingressClass, stored) =>
      checkImmutable(
        "spec.controller",
        text(ingressClass, "spec", "controller"),
        text(stored, "spec", "controller"),
      ),
  },
);

function checkClasses({ metadata, spec }: ApiObject): readonly FieldError[] {
  const annotation = metadata.annotations?.[classAnnotation];
  const name = recordOf(spec)["ingressClassName"];
  if (annotation === undefined || name === undefined || annotation === name) return [];
  const problem = "must match `ingressClassName` when both are specified";
  return [invalid(`metadata.annotations.${classAnnotation}`, annotation, problem)];
}

function checkIngress(ingress: ApiObject): readonly FieldError[] {
  const spec = recordOf(ingress["spec"]);
  const { defaultBackend } = spec;
  const rules = objects(spec, "rules");
  const errors: FieldError[] = [];
  if (rules.length === 0 && defaultBackend === undefined) {
    const problem = "either `defaultBackend` or `rules` must be specified";
    errors.push(invalid("spec", spec["rules"] ?? null, problem));
  }
  if (isRecord(defaultBackend)) errors.push(...checkBackend("spec.defaultBackend", defaultBackend));
  for (const [index, rule] of rules.entries()) {
    errors.push(...checkRule(`spec.rules[${index}]`, rule));
  }
  for (const [index, tls] of objects(spec, "tls").entries()) {
    errors.push(...checkTls(`spec.tls[${index}]`, tls));
  }
  const name = spec["ingressClassName"];
  if (typeof name !== "string") return errors;
  return [...errors, ...checkText("spec.ingressClassName", name, checkDnsSubdomain)];
}

function checkRule(field: string, rule: JsonObject): readonly FieldError[] {
  const host = text(rule, "host");
  const errors = host === "" ? [] : checkHost(`${field}.host`, host);
  if (parseAddress(host) !== undefined) {
    errors.unshift(invalid(`${field}.host`, host, "must be a DNS name, not an IP address"));
  }
  if (!isRecord(rule["http"])) return errors;
  const paths = objects(rule, "http", "paths");
  if (paths.length === 0) errors.push(required(`${field}.http.paths`));
  for (const [index, path] of paths.entries()) {
    errors.push(...checkPath(`${field}.http.paths[${index}]`, path));
  }
  return errors;
}

function checkHost(field: string, host: string): FieldError[] {
  return checkText(field, host, host.includes("*") ? checkWildcardSubdomain : checkDnsSubdomain);
}

function checkPath(field: string, rule: JsonObject): readonly FieldError[] {
  const { pathType } = rule;
  const path = text(rule, "path");
  if (typeof pathType !== "string")
    return [required(`${field}.pathType`, "pathType must be specified")];
  const errors = checkListed(`${field}.pathType`, pathType, pathTypes);
  const at = `${field}.path`;
  const isLoose = pathType === "ImplementationSpecific";
  if (errors.length === 0 && !path.startsWith("/") && (path !== "" || !isLoose)) {
    errors.push(invalid(at, path, "must be an absolute path"));
  }
  if (errors.length === 0 && !isLoose) {
    for (const part of forbiddenParts) {
      if (path.includes(part)) errors.push(invalid(at, path, `must not contain '${part}'`));
    }
    for (const end of forbiddenEnds) {
      if (path.endsWith(end)) errors.push(invalid(at, path, `cannot end with '${end}'`));
    }
  }
  return [...errors, ...checkBackend(`${field}.backend`, recordOf(rule["backend"]))];
}

function checkBackend(field: string, backend: JsonObject): readonly FieldError[] {
  const { resource, service } = backend;
  if (isRecord(resource)) {
    if (isRecord(service)) {
      return [invalid(field, "", "cannot set both resource and service backends")];
    }
    return checkReference(`${field}.resource`, resource);
  }
  if (!isRecord(service)) return [invalid(field, "", "resource or service backend is required")];
  const name = text(service, "name");
  const at = `${field}.service.name`;
  const errors = name === "" ? [required(at)] : checkText(at, name, checkDnsLabel);
  return [...errors, ...checkBackendPort(field, recordOf(service["port"]))];
}

/** A reference to an object whose resource the server does not know. */
function checkReference(field: string, reference: JsonObject): FieldError[] {
  const { apiGroup } = reference;
  const errors =
    typeof apiGroup === "string" ? checkText(`${field}.apiGroup`, apiGroup, checkDnsSubdomain) : [];
  for (const name of ["kind", "name"]) {
    const value = text(reference, name);
    const at = `${field}.${name}`;
    errors.push(...(value === "" ? [required(at)] : checkText(at, value, checkPathSegment)));
  }
  return errors;
}

function checkBackendPort(field: string, port: JsonObject): readonly FieldError[] {
  const name = text(port, "name");
  const number = typeof port["number"] === "number" ? port["number"] : 0;
  if (name !== "" && number !== 0) {
    return [invalid(field, "", "cannot set both port name & port number")];
  }
  if (name !== "") return checkText(`${field}.service.port.name`, name, checkPortName);
  if (number !== 0) return checkPortNumber(`${field}.service.port.number`, number);
  return [required(field, "port name or number is required")];
}

function checkTls(field: string, tls: JsonObject): readonly FieldError[] {
  const secretName = text(tls, "secretName");
  const errors = texts(tls, "hosts").flatMap((host, index) =>
    checkHost(`${field}.hosts[${index}]`, host),
  );
  if (secretName === "") return errors;
  return [...errors, ...checkText(`${field}.secretName`, secretName, checkDnsSubdomain)];
}

// pkg/apis/networking/validation: `maxLenIngressClassController`.
const maxControllerBytes = 250;

function checkIngressClass(spec: JsonObject): readonly FieldError[] {
  const controller = text(spec, "controller");
  const field = "spec.controller";
  const errors = checkController(field, controller);
  const { parameters } = spec;
  if (!isRecord(parameters)) return errors;
  errors.push(...checkReference("spec.parameters", parameters));
  const scope = text(parameters, "scope");
  const namespace = text(parameters, "namespace");
  const scopeField = "spec.parameters.scope";
  if (scope !== "Cluster" && scope !== "Namespace") {
    return [...errors, notSupported(scopeField, scope, ["Cluster", "Namespace"])];
  }
  if ((namespace !== "") === (scope === "Namespace")) return errors;
  const detail = `\`parameters.scope\` is set to '${scope}'`;
  const at = "spec.parameters.namespace";
  const error = namespace === "" ? required(at, detail) : forbidden(at, detail);
  return [...errors, error];
}

function checkController(field: string, controller: string): FieldError[] {
  const errors = checkDomainPath(field, controller);
  return exceedsBytes(controller, maxControllerBytes)
    ? [tooLong(field, maxControllerBytes), ...errors]
    : errors;
}
