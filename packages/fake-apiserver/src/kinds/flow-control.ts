import { type Kind, defineKind } from "./define-kind.ts";

/** FlowSchema of flowcontrol.apiserver.k8s.io. */
export const flowSchemaKind: Kind = defineKind({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1",
  kind: "FlowSchema",
  cluster: true,
  status: true,
  generation: true,
  unconditionalUpdate: true,
});

/** PriorityLevelConfiguration of flowcontrol.apiserver.k8s.io. */
export const priorityLevelConfigurationKind: Kind = defineKind({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1",
  kind: "PriorityLevelConfiguration",
  cluster: true,
  status: true,
  generation: true,
  unconditionalUpdate: true,
});
