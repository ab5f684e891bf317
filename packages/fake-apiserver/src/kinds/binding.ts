import { type Kind, defineKind } from "./define-kind.ts";

/** Binding of the core group: a create assigns a pod to a node, and nothing is stored. */
export const bindingKind: Kind = defineKind({
  version: "v1",
  kind: "Binding",
  verbs: ["create"],
});

/**
 * ComponentStatus of the core group, which is deprecated: the server looks after the other programs
 * of a cluster. There are none here.
 */
export const componentStatusKind: Kind = defineKind({
  version: "v1",
  kind: "ComponentStatus",
  plural: "componentstatuses",
  cluster: true,
  shortNames: ["cs"],
  deprecation: "v1 ComponentStatus is deprecated in v1.19+",
  verbs: ["get", "list"],
});
