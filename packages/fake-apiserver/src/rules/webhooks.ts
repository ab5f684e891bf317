import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { objects, repeatedIndexes, text, texts } from "../base/read-fields.ts";
import { duplicate, invalid, required } from "../validation/field-errors.ts";
import { checkLabelSelector } from "../validation/label-selector.ts";
import { checkDns1035Label, checkDnsSubdomain } from "../validation/names.ts";
import { checkChoice, checkListed, checkText } from "../validation/values.ts";
import { checkMatchConditions, hasSameConditions } from "./expressions.ts";
import type { ObjectRules } from "./object-rules.ts";
import { checkRequestRule } from "./request-rules.ts";
import { checkWebhookClient } from "./webhook-client.ts";

const sideEffects = ["None", "NoneOnDryRun"];
const reviewVersions = ["v1", "v1beta1"];

/** Rules for configurations of webhooks; unchanged match conditions are not checked again. */
export const webhookRules: ObjectRules = {
  create: (configuration) => checkConfiguration(configuration, undefined),
  update: checkConfiguration,
};

function checkConfiguration(
  configuration: ApiObject,
  stored: ApiObject | undefined,
): readonly FieldError[] {
  const names = new Set<string>();
  const webhooks = objects(configuration, "webhooks");
  const before = stored === undefined ? [] : objects(stored, "webhooks");
  // As `ignoreMutatingWebhookMatchConditions`: all are compared, in their order.
  const isKnown =
    webhooks.length === before.length &&
    webhooks.every((webhook, index) => hasSameConditions(webhook, before[index] ?? {}));
  return webhooks.flatMap((webhook, index) => {
    const field = `webhooks[${index}]`;
    const name = text(webhook, "name");
    const errors = checkWebhook(field, webhook);
    if (!isKnown) errors.push(...checkMatchConditions(`${field}.matchConditions`, webhook, false));
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    return errors;
  });
}

function checkWebhook(field: string, webhook: JsonObject): FieldError[] {
  const { timeoutSeconds } = webhook;
  const errors = [
    ...checkName(`${field}.name`, text(webhook, "name")),
    ...checkReviewVersions(`${field}.admissionReviewVersions`, webhook),
    ...checkSideEffects(`${field}.sideEffects`, webhook["sideEffects"]),
    ...checkChoice(`${field}.failurePolicy`, webhook["failurePolicy"], ["Fail", "Ignore"]),
    ...checkChoice(`${field}.matchPolicy`, webhook["matchPolicy"], ["Equivalent", "Exact"]),
    ...checkChoice(`${field}.reinvocationPolicy`, webhook["reinvocationPolicy"], [
      "IfNeeded",
      "Never",
    ]),
    ...checkLabelSelector(`${field}.namespaceSelector`, webhook["namespaceSelector"]),
    ...checkLabelSelector(`${field}.objectSelector`, webhook["objectSelector"]),
    ...checkWebhookClient(`${field}.clientConfig`, recordOf(webhook["clientConfig"])),
  ];
  if (typeof timeoutSeconds === "number" && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    const problem = "the timeout value must be between 1 and 30 seconds";
    errors.push(invalid(`${field}.timeoutSeconds`, timeoutSeconds, problem));
  }
  for (const [index, rule] of objects(webhook, "rules").entries()) {
    errors.push(...checkRequestRule(`${field}.rules[${index}]`, rule));
  }
  return errors;
}

function checkName(field: string, name: string): FieldError[] {
  if (name === "") return [required(field)];
  const errors = checkText(field, name, checkDnsSubdomain);
  if (errors.length > 0 || name.split(".").length > 2) return errors;
  const problem = "should be a domain with at least three segments separated by dots";
  return [invalid(field, name, problem)];
}

function checkReviewVersions(field: string, webhook: JsonObject): FieldError[] {
  const versions = texts(webhook, "admissionReviewVersions");
  if (versions.length === 0) {
    return [required(field, `must specify one of ${reviewVersions.join(", ")}`)];
  }
  const errors = versions.flatMap((version, index) =>
    checkText(`${field}[${index}]`, version, checkDns1035Label),
  );
  for (const index of repeatedIndexes(versions)) {
    errors.push(invalid(`${field}[${index}]`, versions[index], "duplicate version"));
  }
  if (versions.some((version) => reviewVersions.includes(version))) return errors;
  const problem = `must include at least one of ${reviewVersions.join(", ")}`;
  return [...errors, invalid(field, versions, problem)];
}

function checkSideEffects(field: string, value: unknown): FieldError[] {
  if (value !== undefined && value !== null) return checkListed(field, value, sideEffects);
  return [required(field, `must specify one of ${sideEffects.join(", ")}`)];
}
