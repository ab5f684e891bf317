import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { objects, text } from "../../base/read-fields.ts";
import { duplicate, forbidden, invalid, required } from "../../validation/field-errors.ts";
import { checkDnsLabel } from "../../validation/names.ts";
import { checkText } from "../../validation/values.ts";
import { sharedSources } from "../shared-sources.ts";
import { volumeSources } from "./volume-sources.ts";

/** The volumes that containers may mount: those without errors, by name. */
export type Volumes = ReadonlyMap<string, JsonObject>;

/** The volumes of a pod and what is wrong with them. */
export interface CheckedVolumes {
  readonly volumes: Volumes;
  readonly errors: readonly FieldError[];
}

/** Checks the volumes of a pod; `podName` is "" for a template. */
export function checkVolumes(field: string, spec: JsonObject, podName: string): CheckedVolumes {
  const volumes = new Map<string, JsonObject>();
  const errors: FieldError[] = [];
  const all = objects(spec, "volumes");
  const created = new Set(
    all
      .filter((volume) => podName !== "" && isRecord(volume["ephemeral"]))
      .map((volume) => `${podName}-${text(volume, "name")}`),
  );
  for (const [index, volume] of all.entries()) {
    const at = `${field}[${index}]`;
    const name = text(volume, "name");
    const found = [...checkSource(at, volume), ...checkName(`${at}.name`, name, volumes)];
    if (found.length === 0) volumes.set(name, volume);
    errors.push(...found);
    const claim = text(volume, "persistentVolumeClaim", "claimName");
    if (created.has(claim)) {
      const problem = "must not reference a PVC that gets created for an ephemeral volume";
      errors.push(invalid(`${at}.persistentVolumeClaim.claimName`, claim, problem));
    }
  }
  return { volumes, errors };
}

function checkName(field: string, name: string, volumes: Volumes): readonly FieldError[] {
  const errors: FieldError[] =
    name === "" ? [required(field)] : checkText(field, name, checkDnsLabel);
  if (volumes.has(name)) errors.push(duplicate(field, name));
  return errors;
}

// A volume of several kinds is of the first one in the order of the server.
function checkSource(at: string, volume: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  let sources = 0;
  for (const { check, forbiddenAs, name } of volumeSources) {
    const source = volume[name];
    if (!isRecord(source)) continue;
    sources++;
    if (sources === 1) {
      const rule = check ?? sharedSources[name];
      errors.push(...(rule?.(`${at}.${name}`, recordOf(source)) ?? []));
    } else {
      const problem = "may not specify more than 1 volume type";
      errors.push(forbidden(`${at}.${forbiddenAs ?? name}`, problem));
    }
  }
  return sources === 0 ? [required(at, "must specify a volume type")] : errors;
}
