import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { objects, textsOf } from "../../base/read-fields.ts";
import { forbidden } from "../../validation/field-errors.ts";
import { checkLabels } from "../../validation/label-selector.ts";
import { checkAnnotations } from "../../validation/object-meta.ts";
import { checkPodAnnotations } from "./annotations.ts";
import { checkPodSpec } from "./pod-spec.ts";

/** The template of pods. The server leaves `metadata` out of the paths of labels and annotations. */
export function checkPodTemplate(field: string, template: JsonObject): readonly FieldError[] {
  const metadata = recordOf(template["metadata"]);
  const spec = recordOf(template["spec"]);
  const annotations = recordOf(metadata["annotations"]);
  const errors = [
    ...checkLabels(`${field}.labels`, metadata["labels"]),
    ...checkAnnotations(`${field}.annotations`, textsOf(annotations)),
    ...checkPodAnnotations(`${field}.annotations`, annotations, spec),
    ...checkPodSpec(spec, { field: `${field}.spec`, podName: undefined }),
  ];
  if (objects(spec, "ephemeralContainers").length > 0) {
    const problem = "ephemeral containers not allowed in pod template";
    errors.push(forbidden(`${field}.spec.ephemeralContainers`, problem));
  }
  return errors;
}
