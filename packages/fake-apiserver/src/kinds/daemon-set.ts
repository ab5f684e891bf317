import { isJsonEqual } from "@listwatch/core-fifo/base";
import { specDefaults } from "./defaults/fill.ts";
import { daemonSetDefaults } from "./defaults/workloads.ts";
import type { ApiObject } from "../api/api-object.ts";
import { goQuote } from "../base/go-text.ts";
import { field, orNone } from "../base/read-fields.ts";
import { MetaTypeError } from "../input/errors.ts";
import { formatLabels } from "../selectors/format-label-selector.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { containersColumn, counter, imagesColumn, selectorColumn, workload } from "./workload.ts";
import { daemonSetRules } from "../rules/workloads/daemon-set.ts";
import { dropFromTemplate } from "./disabled-fields.ts";

/** DaemonSet of apps. */
export const daemonSetKind: Kind = defineKind({
  ...workload,
  group: "apps",
  version: "v1",
  kind: "DaemonSet",
  podTemplate: ["spec", "template"],
  dropDisabled: dropFromTemplate,
  defaults: daemonSetWithDefaults,
  rules: daemonSetRules,
  strategy: () => ({
    prepareForCreate: (object) => withGeneration(object, Math.max(1, generationOf(object) ?? 0)),
    prepareForUpdate: countTemplate,
  }),
  shortNames: ["ds"],
  columns: [
    counter("Desired", "status", "desiredNumberScheduled"),
    counter("Current", "status", "currentNumberScheduled"),
    counter("Ready", "status", "numberReady"),
    counter("Up-to-date", "status", "updatedNumberScheduled"),
    counter("Available", "status", "numberAvailable"),
    builtinColumn("Node Selector", (object) =>
      orNone(formatLabels(field(object, "spec", "template", "spec", "nodeSelector"))),
    ),
    ageColumn,
    containersColumn,
    imagesColumn,
    selectorColumn,
  ],
});

// pkg/apis/apps/v1: `DeprecatedTemplateGeneration`, a field of the old version of the kind. It is
// written into every object.
const templateGeneration = "deprecated.daemonset.template.generation";

function daemonSetWithDefaults(object: ApiObject): ApiObject {
  const filled = specDefaults(daemonSetDefaults)(object);
  const given = object.metadata.annotations?.[templateGeneration];
  if (given === undefined) return withGeneration(filled, 0);
  if (generationOf(object) !== undefined) return filled;
  throw new MetaTypeError(`strconv.ParseInt: parsing ${goQuote(given)}: invalid syntax`);
}

// pkg/registry/apps/daemonset/strategy.go: it counts the changes of the template.
function countTemplate(object: ApiObject, stored: ApiObject): ApiObject {
  const before = generationOf(stored) ?? 0;
  const [old, template] = [stored, object].map((one) => field(one, "spec", "template"));
  return withGeneration(object, isJsonEqual(old, template) ? before : before + 1);
}

function generationOf({ metadata }: ApiObject): number | undefined {
  const text = metadata.annotations?.[templateGeneration];
  return text !== undefined && /^[-+]?\d+$/.test(text) ? Number(text) : undefined;
}

function withGeneration(object: ApiObject, generation: number): ApiObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
  return { ...object, metadata: { ...metadata, annotations } };
}
