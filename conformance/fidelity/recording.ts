import { readFileSync } from "node:fs";
import { type ApplySequences, applySequenceScenarios } from "./formats/apply-sequences.ts";
import {
  type CreatedObjects,
  createdObjectScenarios,
  type RefusedObjects,
  refusedObjectScenarios,
} from "./formats/created-objects.ts";
import { type HttpExchanges, httpExchangeScenarios } from "./formats/http-exchanges.ts";
import { type StrategicPatches, strategicPatchScenarios } from "./formats/strategic-patches.ts";
import { type UpdatedObjects, updatedObjectScenarios } from "./formats/updated-objects.ts";
import { withChangedAnswers } from "./changed-answers.ts";
import type { Scenario } from "./scenario.ts";

// By the member `format` of a recording.
const readers: Readonly<Record<string, (content: never) => readonly Scenario[]>> = {
  "kubernetes-apiserver-http-goldens/1": (content: HttpExchanges) => httpExchangeScenarios(content),
  "kubernetes-create-observations/1": (content: CreatedObjects) => createdObjectScenarios(content),
  "kubernetes-refusals/1": (content: RefusedObjects) => refusedObjectScenarios(content),
  "kubernetes-update-observations/1": (content: UpdatedObjects) => updatedObjectScenarios(content),
  "kubernetes-smp-cases/1": (content: StrategicPatches) => strategicPatchScenarios(content),
  "kubernetes-ssa-sequences/1": (content: ApplySequences) => applySequenceScenarios(content),
};

/** Reads the scenarios of a recording. @throws for any other file */
export function readScenarios(file: string | URL): readonly Scenario[] {
  const content = JSON.parse(readFileSync(file, "utf8")) as { readonly format?: string };
  const { format = "" } = content;
  const read = Object.hasOwn(readers, format) ? readers[format] : undefined;
  if (read === undefined) {
    const known = Object.keys(readers).join(", ");
    throw new Error(`expected a "format" that is one of ${known}, got ${JSON.stringify(format)}`);
  }
  return read(withChangedAnswers(file, content) as never);
}
