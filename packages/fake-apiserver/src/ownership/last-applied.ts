import { isRecord, recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import { goJson } from "../base/go-text.ts";
import { areAnnotationsWithinLimit } from "../validation/object-meta.ts";
import { checkValue } from "./check-value.ts";
import type { Conflict } from "./changes.ts";
import { compareValues } from "./compare-values.ts";
import { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";
import type { OwnershipRequest } from "./ownership-request.ts";

/** Annotation with the configuration of kubectl's client-side apply. */
const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Manager whose server-side applies continue its client-side ones. */
const kubectl = "kubectl";

/**
 * Removes conflicts with kubectl's own client-side applies, as long as the object still has the
 * applied values (apimachinery `lastAppliedManager`,
 * pkg/util/managedfields/internal/lastappliedmanager.go).
 *
 * @param live the object before the apply
 */
export function conflictsOf(
  conflicts: readonly Conflict[],
  live: JsonObject | undefined,
  request: OwnershipRequest,
): readonly Conflict[] {
  if (conflicts.length === 0 || request.owner.manager !== kubectl) return conflicts;
  const own = fieldsLastApplied(recordOf(live), request);
  return conflicts
    .map(({ entry, fields }) => ({ entry, fields: fields.minus(own) }))
    .filter(({ fields }) => !fields.isEmpty);
}

function fieldsLastApplied(live: JsonObject, { owner, versionOf }: OwnershipRequest): FieldSet {
  const type = versionOf(owner.apiVersion)?.type;
  const applied = parseObject(lastAppliedOf(live));
  if (type === undefined || applied?.["apiVersion"] !== owner.apiVersion) return FieldSet.empty;
  if (checkValue(applied, type).length > 0) return FieldSet.empty;
  const { added, modified, removed } = compareValues(applied, live, type);
  return fieldsOf(applied, type).minus(modified).minus(added).minus(removed);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function lastAppliedOf(object: JsonObject): string {
  const { annotations } = recordOf(object["metadata"]);
  return stringOf(recordOf(annotations)[annotation]);
}

/**
 * Updates the annotation after an apply by kubectl, if the object has one (`lastAppliedUpdater`,
 * lastappliedupdater.go). Drops an annotation that is too large.
 *
 * @param configuration the body of the apply
 */
export function withLastApplied(
  object: JsonObject,
  configuration: JsonObject,
  manager: string,
): JsonObject {
  if (manager !== kubectl || lastAppliedOf(object) === "") return object;
  const metadata = recordOf(object["metadata"]);
  const { [annotation]: _before, ...others } = textsOf(metadata["annotations"]);
  const noted = { ...others, [annotation]: `${goJson(withoutNote(configuration))}\n` };
  const annotations = areAnnotationsWithinLimit(noted) ? noted : others;
  return { ...object, metadata: { ...metadata, annotations } };
}

function textsOf(annotations: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(recordOf(annotations));
  return Object.fromEntries(entries.map(([key, value]) => [key, stringOf(value)]));
}

function withoutNote(configuration: JsonObject): JsonObject {
  const { metadata } = configuration;
  if (!isRecord(metadata) || !isRecord(metadata["annotations"])) return configuration;
  const { [annotation]: _note, ...annotations } = metadata["annotations"];
  return { ...configuration, metadata: { ...metadata, annotations } };
}
