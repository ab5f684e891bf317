import { recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { FieldError } from "../api/errors.ts";
import { exceedsBytes } from "../base/go-text.ts";
import { required, tooLong } from "../validation/field-errors.ts";
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
} from "../validation/names.ts";
import { checkText, checkWord } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

// k8s.io/kubernetes pkg/apis/resource/types.go.
const maxDriverBytes = 63;
const maxPoolBytes = 253;
const effects = ["NoExecute", "NoSchedule", "None"];

/** Rules for DeviceTaintRules: k8s.io/kubernetes pkg/apis/resource/validation/validation.go. */
export const deviceTaintRules: ObjectRules = rulesOf(({ spec }: ApiObject) => {
  const { deviceSelector, taint } = recordOf(spec);
  const { device, driver, pool } = recordOf(deviceSelector);
  const { effect, key, value = "" } = recordOf(taint);
  const at = "spec.deviceSelector";
  return [
    ...(typeof driver === "string" ? checkDriver(`${at}.driver`, driver) : []),
    ...(typeof pool === "string" ? checkPool(`${at}.pool`, pool) : []),
    ...(typeof device === "string" ? checkText(`${at}.device`, device, checkDnsLabel) : []),
    ...checkText("spec.taint.key", typeof key === "string" ? key : "", checkQualifiedName),
    ...(typeof value === "string" ? checkText("spec.taint.value", value, checkLabelValue) : []),
    ...checkWord("spec.taint.effect", effect, effects),
  ];
});

function checkDriver(field: string, name: string): readonly FieldError[] {
  if (name === "") return [required(field)];
  const errors = exceedsBytes(name, maxDriverBytes) ? [tooLong(field, maxDriverBytes)] : [];
  return [...errors, ...checkText(field, name, checkDnsSubdomain)];
}

function checkPool(field: string, name: string): readonly FieldError[] {
  if (name === "") return [required(field)];
  const errors = exceedsBytes(name, maxPoolBytes) ? [tooLong(field, maxPoolBytes)] : [];
  const parts = name.split("/");
  return [...errors, ...parts.flatMap((part) => checkText(field, part, checkDnsSubdomain))];
}
