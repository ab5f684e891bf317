import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { objects, text } from "../../base/read-fields.ts";
import { invalid, notFound, required } from "../../validation/field-errors.ts";
import {
  checkConfigKey,
  checkDnsLabel,
  checkDnsSubdomain,
  type NameRule,
} from "../../validation/names.ts";
import { checkText } from "../../validation/values.ts";
import {
  checkFieldReference,
  checkResourceReference,
  environmentPaths,
} from "./field-references.ts";
import { checkNoBacksteps } from "./paths.ts";
import type { Volumes } from "./volumes.ts";

const variableProblem =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

function checkVariableName(name: string): readonly string[] {
  return /^[ -~]*$/.test(name) && !name.includes("=") ? [] : [variableProblem];
}

/** The variables of a container: `env` and `envFrom`. */
export function checkEnvironment(
  at: string,
  container: JsonObject,
  volumes: Volumes,
): readonly FieldError[] {
  return [
    ...objects(container, "env").flatMap((variable, index) =>
      checkVariable(`${at}.env[${index}]`, variable, volumes),
    ),
    ...objects(container, "envFrom").flatMap((source, index) =>
      checkSource(`${at}.envFrom`, index, source),
    ),
  ];
}

function checkVariable(at: string, variable: JsonObject, volumes: Volumes): readonly FieldError[] {
  const name = text(variable, "name");
  const errors: FieldError[] =
    name === "" ? [required(`${at}.name`)] : checkText(`${at}.name`, name, checkVariableName);
  const { valueFrom } = variable;
  if (!isRecord(valueFrom)) return errors;
  const field = `${at}.valueFrom`;
  const sources = Object.keys(references).filter((source) => isRecord(valueFrom[source]));
  for (const source of sources) {
    const check = references[source];
    errors.push(...(check?.(`${field}.${source}`, recordOf(valueFrom[source]), volumes) ?? []));
  }
  if (sources.length === 0) errors.push(invalid(field, "", noReference));
  else if (text(variable, "value") !== "") {
    errors.push(invalid(field, "", "may not be specified when `value` is not empty"));
  } else if (sources.length > 1) errors.push(invalid(field, "", manyFields));
  return errors;
}

const manyFields = "may not have more than one field specified at a time";
const noReference =
  "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";

type ReferenceRule = (
  field: string,
  reference: JsonObject,
  volumes: Volumes,
) => readonly FieldError[];

const references: Readonly<Record<string, ReferenceRule>> = {
  fieldRef: (field, reference) => checkFieldReference(field, reference, environmentPaths),
  resourceFieldRef: (field, reference) => checkResourceReference(field, reference, false),
  configMapKeyRef: checkKeyReference,
  secretKeyRef: checkKeyReference,
  fileKeyRef: checkFileReference,
};

function checkKeyReference(field: string, reference: JsonObject): readonly FieldError[] {
  const key = text(reference, "key");
  return [
    ...checkText(`${field}.name`, text(reference, "name"), checkDnsSubdomain),
    ...(key === "" ? [required(`${field}.key`)] : checkText(`${field}.key`, key, checkConfigKey)),
  ];
}

function checkFileReference(
  field: string,
  reference: JsonObject,
  volumes: Volumes,
): readonly FieldError[] {
  const check = (name: string, rule: NameRule): readonly FieldError[] => {
    const value = text(reference, name);
    const at = `${field}.${name}`;
    return value === "" ? [required(at)] : checkText(at, value, rule);
  };
  const path = text(reference, "path");
  return [
    ...check("key", checkVariableName),
    ...check("volumeName", checkDnsLabel),
    ...(path === "" ? [required(`${field}.path`)] : checkNoBacksteps(`${field}.path`, path)),
    ...checkEmptyDirectory(`${field}.volumeName`, text(reference, "volumeName"), volumes),
  ];
}

function checkEmptyDirectory(field: string, name: string, volumes: Volumes): readonly FieldError[] {
  const volume = volumes.get(name);
  if (volume === undefined) return [notFound(field, name)];
  if (isRecord(volume["emptyDir"])) return [];
  return [invalid(field, name, "referenced volume must be of type emptyDir")];
}

// A wrong number of references is reported for the whole list.
function checkSource(field: string, index: number, source: JsonObject): readonly FieldError[] {
  const at = `${field}[${index}]`;
  const prefix = text(source, "prefix");
  const names = ["configMapRef", "secretRef"].filter((name) => isRecord(source[name]));
  const errors: FieldError[] =
    prefix === "" ? [] : checkText(`${at}.prefix`, prefix, checkVariableName);
  for (const name of names) {
    const referred = text(source, name, "name");
    if (referred === "") errors.push(required(`${at}.${name}.name`));
    else errors.push(...checkText(`${at}.${name}.name`, referred, checkDnsSubdomain));
  }
  if (names.length === 0) {
    errors.push(invalid(field, "", "must specify one of: `configMapRef` or `secretRef`"));
  } else if (names.length > 1) errors.push(invalid(field, "", manyFields));
  return errors;
}
