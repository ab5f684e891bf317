import { recordOf } from "@listwatch/core-fifo/base";
import type { ObjectRules } from "../object-rules.ts";
import { checkPodTemplate } from "./pod-template.ts";
import { podWarnings } from "./pod-warnings.ts";
import { isUnchanged } from "../workloads/template-warnings.ts";

/** The rules of PodTemplates. */
export const podTemplateRules: ObjectRules = {
  create: ({ template }) => checkPodTemplate("template", recordOf(template)),
  update: ({ template }) => checkPodTemplate("template", recordOf(template)),
  warnings: (object, stored) =>
    isUnchanged(object, stored) ? [] : podWarnings("template.", recordOf(object["template"])),
};
