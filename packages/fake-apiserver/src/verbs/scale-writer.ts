import { type Clock, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { apiVersionOf } from "../api/api-versions.ts";
import type { FoundResource } from "../api/registry.ts";
import type { ResourceDefinition, ScalePaths } from "../api/resource-definition.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { type FieldSet, fieldSetOf } from "../ownership/field-set.ts";
import {
  entriesOf,
  type FieldWriter,
  storedEntries,
  UpdateWriter,
} from "../ownership/field-writer.ts";
import { ScaleEntries } from "../ownership/scale-entries.ts";
import { ownershipRequest } from "./field-writers.ts";
import { scaleApiVersion, segments, valueAt } from "./scale-object.ts";

/** The owner of the number of replicas; its entries have no time. */
export async function scaleWriter(
  found: FoundResource & { readonly clock: Clock },
  info: RequestInfo,
  paths: ScalePaths,
): Promise<FieldWriter> {
  const request = await ownershipRequest(found, info, found.clock, "Update");
  const writer = new UpdateWriter({ ...request, now: undefined });
  const path = segments(paths.specReplicas);
  return {
    entriesAfter: (before, sent, after) => {
      if (before === undefined) return undefined;
      // A Scale whose number has no owner stays untracked: `skipNonAppliedManager` of apimachinery.
      if (scaleEntries(found, before).ofScale().size === 0) return entriesOf(before);
      // Go leaves a zero out of a Scale, which gives it no owner.
      return writer.entriesAfter(withoutZero(before, path), sent, withoutZero(after, path));
    },
  };
}

/** The entries of an object and of its Scale. */
export function scaleEntries(
  { definition, served }: Pick<FoundResource, "definition" | "served">,
  object: ApiObject,
): ScaleEntries {
  const scaled = {
    entries: storedEntries(object),
    apiVersion: apiVersionOf(definition.group, served.name),
    replicasOf: (apiVersion: string) => replicasIn(definition, apiVersion),
  };
  return new ScaleEntries(scaled, scaleApiVersion);
}

function replicasIn(definition: ResourceDefinition, apiVersion: string): FieldSet | undefined {
  const served = definition.versions.find(
    ({ name }) => apiVersionOf(definition.group, name) === apiVersion,
  );
  return served?.scale && fieldSetOf(segments(served.scale.specReplicas));
}

function withoutZero(object: ApiObject, path: readonly string[]): ApiObject {
  if (valueAt(object, path) !== 0) return object;
  return { ...without(object, path), metadata: object.metadata };
}

function without(object: JsonObject, [first = "", ...rest]: readonly string[]): JsonObject {
  const { [first]: inner, ...others } = object;
  return rest.length === 0 ? others : { ...others, [first]: without(recordOf(inner), rest) };
}
