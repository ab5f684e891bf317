import { type Kind, defineKind } from "./define-kind.ts";

/** PodTemplate of the core group. */
export const podTemplateKind: Kind = defineKind({
  version: "v1",
  kind: "PodTemplate",
  unconditionalUpdate: true,
  generation: true,
  returnsDeletedObject: true,
});
