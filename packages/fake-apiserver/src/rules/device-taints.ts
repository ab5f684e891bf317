import { recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { checkDnsLabel, checkLabelValue, checkQualifiedName } from "../validation/names.ts";
import { checkText, checkWord } from "../validation/values.ts";
import { checkDriverName } from "./csi.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkPool } from "./resource-slices.ts";

const effects = ["NoExecute", "NoSchedule", "None"];

/** Rules for DeviceTaintRules: k8s.io/kubernetes pkg/apis/resource/validation/validation.go. */
export const deviceTaintRules: ObjectRules = rulesOf(({ spec }: ApiObject) => {
  const { deviceSelector, taint } = recordOf(spec);
  const { device, driver, pool } = recordOf(deviceSelector);
  const { effect, key, value = "" } = recordOf(taint);
  const at = "spec.deviceSelector";
  return [
    ...(typeof driver === "string" ? checkDriverName(`${at}.driver`, driver) : []),
    ...(typeof pool === "string" ? checkPool(`${at}.pool`, pool) : []),
    ...(typeof device === "string" ? checkText(`${at}.device`, device, checkDnsLabel) : []),
    ...checkText("spec.taint.key", typeof key === "string" ? key : "", checkQualifiedName),
    ...(typeof value === "string" ? checkText("spec.taint.value", value, checkLabelValue) : []),
    ...checkWord("spec.taint.effect", effect, effects),
  ];
});
