import type { ApiObject } from "@listwatch/fake-apiserver";

const apiVersion = "admissionregistration.k8s.io/v1";

/** Constraints that match all writes of ConfigMaps. */
const ofConfigMaps = {
  resourceRules: [
    {
      apiGroups: [""],
      apiVersions: ["v1"],
      operations: ["CREATE", "UPDATE"],
      resources: ["configmaps"],
    },
  ],
};

/** A policy for ConfigMaps. */
export function policy(kind: "Mutating" | "Validating", name: string, spec: object): ApiObject {
  return {
    apiVersion,
    kind: `${kind}AdmissionPolicy`,
    metadata: { name },
    spec: {
      matchConstraints: ofConfigMaps,
      ...(kind === "Mutating" ? { reinvocationPolicy: "Never" } : {}),
      ...spec,
    },
  };
}

/** A binding, called after its policy. */
export function binding(
  kind: "Mutating" | "Validating",
  policyName: string,
  spec: object = {},
): ApiObject {
  return {
    apiVersion,
    kind: `${kind}AdmissionPolicyBinding`,
    metadata: { name: `${policyName}-b` },
    spec: {
      policyName,
      ...(kind === "Validating" ? { validationActions: ["Deny"] } : {}),
      ...spec,
    },
  };
}

/** A policy with its binding. */
export function bound(
  kind: "Mutating" | "Validating",
  name: string,
  spec: object,
  binds: object = {},
): readonly ApiObject[] {
  return [policy(kind, name, spec), binding(kind, name, binds)];
}

/** A mutation by an apply configuration. */
export function applying(expression: string): object {
  return { patchType: "ApplyConfiguration", applyConfiguration: { expression } };
}

/** A mutation by a JSON patch. */
export function patching(expression: string): object {
  return { patchType: "JSONPatch", jsonPatch: { expression } };
}
