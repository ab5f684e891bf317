import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { goJson } from "../../base/go-text.ts";
import { count, objects, text } from "../../base/read-fields.ts";
import { invalid, invalidShown, required } from "../../validation/field-errors.ts";
import {
  checkCountOrPercent,
  checkImmutable,
  checkListed,
  checkMostPercent,
  checkText,
} from "../../validation/values.ts";
import { checkDnsLabel } from "../../validation/names.ts";
import type { ObjectRules } from "../object-rules.ts";
import { showClaim, showStruct } from "../pods/internal-form.ts";
import { checkVolumeClaim } from "../volume-claim.ts";
import { amountOf, checkNumbers, checkStatus, type StatusCounts } from "./numbers.ts";
import {
  checkLastingTemplate,
  checkSelected,
  checkSelector,
  showSelector,
} from "./selected-template.ts";
import { templateWarnings } from "./template-warnings.ts";

/** The rules of StatefulSets. */
export const statefulSetRules: ObjectRules = {
  create: ({ spec }) => [...checkSpec(recordOf(spec)), ...checkFixed(recordOf(spec))],
  update: ({ spec }, stored) => [
    ...checkSpec(recordOf(spec)),
    ...checkChange(recordOf(spec), recordOf(stored["spec"])),
  ],
  status: ({ status }, stored) => checkStatus(counts, recordOf(status), recordOf(stored["status"])),
  warnings: (set, stored) => {
    const warnings = templateWarnings(set, stored);
    return count(set, "spec", "revisionHistoryLimit") < 0
      ? [...warnings, `spec.revisionHistoryLimit: ${limitWarning}`]
      : warnings;
  },
};

const limitWarning =
  "a negative value retains all historical revisions; a value >= 0 is recommended";

const counts: StatusCounts = {
  numbers: [
    "replicas",
    "readyReplicas",
    "currentReplicas",
    "updatedReplicas",
    "availableReplicas",
    "observedGeneration",
    "collisionCount",
  ],
  parts: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
  ready: "status.readyReplicas",
};

function checkChange(spec: JsonObject, stored: JsonObject): readonly FieldError[] {
  const problem = "field is immutable";
  const errors: FieldError[] = [];
  if (!isJsonEqual(spec["selector"], stored["selector"])) {
    errors.push(invalidShown("spec.selector", showSelector(spec["selector"]), problem));
  }
  const claims = "volumeClaimTemplates";
  if (!isJsonEqual(spec[claims], stored[claims])) {
    const shown = objects(spec, claims).map(showClaim);
    const list = shown.length === 0 ? "null" : `[${shown.join(",")}]`;
    errors.push(invalidShown(`spec.${claims}`, list, problem));
  }
  return [
    ...errors,
    ...checkImmutable("spec.serviceName", spec["serviceName"] ?? "", stored["serviceName"] ?? ""),
    ...checkImmutable(
      "spec.podManagementPolicy",
      spec["podManagementPolicy"],
      stored["podManagementPolicy"],
    ),
  ];
}

function checkSpec(spec: JsonObject): readonly FieldError[] {
  const { podManagementPolicy } = spec;
  const errors: FieldError[] = [
    ...checkNumbers("spec", spec, ["replicas", "minReadySeconds"]),
    ...checkNumbers("spec.ordinals", spec["ordinals"], ["start"]),
    ...checkStrategy("spec.updateStrategy", spec["updateStrategy"]),
    ...checkRetention(spec["persistentVolumeClaimRetentionPolicy"]),
    ...checkPods(spec),
  ];
  const policies = ["OrderedReady", "Parallel", undefined];
  if (!policies.some((policy) => policy === podManagementPolicy)) {
    const problem = "must be 'OrderedReady' or 'Parallel'";
    errors.push(invalid("spec.podManagementPolicy", podManagementPolicy, problem));
  }
  return errors;
}

// These cannot change later, so that an update takes them as they are.
function checkFixed(spec: JsonObject): readonly FieldError[] {
  const claims = objects(spec, "volumeClaimTemplates").flatMap((claim, index) =>
    checkVolumeClaim(`spec.volumeClaimTemplates[${index}].spec`, recordOf(claim["spec"])),
  );
  const serviceName = text(spec, "serviceName");
  return serviceName === ""
    ? claims
    : [...claims, ...checkText("spec.serviceName", serviceName, checkDnsLabel)];
}

function checkPods(spec: JsonObject): readonly FieldError[] {
  const { selector } = spec;
  const field = "spec.selector";
  const template = withClaims(recordOf(spec["template"]), objects(spec, "volumeClaimTemplates"));
  const errors: FieldError[] = [];
  if (isRecord(selector)) {
    const checked = checkSelector(field, selector, "empty selector is invalid for statefulset");
    errors.push(...checked.errors);
    if (!checked.isReadable) {
      return [...errors, invalidShown(field, showSelector(selector), "")];
    }
  } else errors.push(required(field));
  return [
    ...errors,
    ...checkSelected("spec.template", selector, template),
    ...checkLastingTemplate("spec.template", template, "StatefulSet"),
  ];
}

// Each pod gets a volume of the name of each claim, in place of one in the template.
function withClaims(template: JsonObject, claims: readonly JsonObject[]): JsonObject {
  const { spec } = template;
  if (!isRecord(spec) || claims.length === 0) return template;
  const names = new Set(claims.map((claim) => text(claim, "metadata", "name")));
  const volumes = [
    ...objects(spec, "volumes").filter((volume) => !names.has(text(volume, "name"))),
    ...[...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
  ];
  return { ...template, spec: { ...spec, volumes } };
}

function checkStrategy(field: string, value: unknown): readonly FieldError[] {
  // A real server has filled in the strategy of a missing spec.
  if (!isRecord(value)) return [];
  const { rollingUpdate, type } = value;
  const at = `${field}.rollingUpdate`;
  const shownUpdate = isRecord(rollingUpdate)
    ? showStruct(["Partition", "MaxUnavailable"], rollingUpdate)
    : "null";
  if (type === "OnDelete") {
    if (!isRecord(rollingUpdate)) return [];
    return [invalidShown(at, shownUpdate, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  if (type !== "RollingUpdate") {
    const shown = `{"Type":${goJson(type ?? "")},"RollingUpdate":${shownUpdate}}`;
    return [invalidShown(field, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  const { maxUnavailable } = recordOf(rollingUpdate);
  const errors = [...checkNumbers(at, rollingUpdate, ["partition"])];
  if (maxUnavailable === undefined) return errors;
  const unavailableField = `${at}.maxUnavailable`;
  errors.push(...checkCountOrPercent(unavailableField, maxUnavailable));
  if (amountOf(maxUnavailable) === 0) {
    errors.push(invalid(unavailableField, maxUnavailable, "cannot be 0"));
  }
  return [...errors, ...checkMostPercent(unavailableField, maxUnavailable)];
}

function checkRetention(policy: unknown): readonly FieldError[] {
  if (!isRecord(policy)) return [];
  return ["whenDeleted", "whenScaled"].flatMap((name) =>
    checkListed(`spec.persistentVolumeClaimRetentionPolicy.${name}`, policy[name], [
      "Retain",
      "Delete",
    ]),
  );
}
