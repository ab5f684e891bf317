import { templateDefaults } from "./defaults/pod-spec.ts";
import { field, orNone } from "../base/read-fields.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { builtinColumn } from "./columns.ts";
import { templateContainers } from "./workload.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { podTemplateRules } from "../rules/pods/pod-template-rules.ts";
import { dropFromPodTemplate } from "./disabled-fields.ts";

/** PodTemplate of the core group. */
export const podTemplateKind: Kind = defineKind({
  version: "v1",
  kind: "PodTemplate",
  dropDisabled: dropFromPodTemplate,
  podTemplate: ["template"],
  defaults: (object) => ({ ...templateDefaults(object), metadata: object.metadata }),
  rules: podTemplateRules,
  unconditionalUpdate: true,
  columns: [
    builtinColumn("Containers", (object) => templateContainers(object, "name", "template")),
    builtinColumn("Images", (object) => templateContainers(object, "image", "template")),
    builtinColumn("Pod Labels", (object) =>
      orNone(formatLabels(field(object, "template", "metadata", "labels"))),
    ),
  ],
  generation: true,
  desiredState: ({ template }) => template,
  returnsDeletedObject: true,
});
