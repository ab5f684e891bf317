import type { ResourceDefinition } from "../api/resource-definition.ts";
import { defineKind } from "./define-kind.ts";

const authentication = { group: "authentication.k8s.io", version: "v1", cluster: true } as const;
const authorization = { group: "authorization.k8s.io", version: "v1" } as const;

/** Kinds that are questions to the server: a create is answered, and nothing is stored. */
export const reviewDefinitions: readonly ResourceDefinition[] = [
  { ...authentication, kind: "SelfSubjectReview" },
  { ...authentication, kind: "TokenReview" },
  { ...authorization, kind: "LocalSubjectAccessReview" },
  { ...authorization, kind: "SelfSubjectAccessReview", cluster: true },
  { ...authorization, kind: "SelfSubjectRulesReview", cluster: true },
  { ...authorization, kind: "SubjectAccessReview", cluster: true },
].map((traits) => defineKind({ ...traits, verbs: ["create"] }).definition);
