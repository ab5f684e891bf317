import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { text } from "../base/read-fields.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { formFor, type MatchCriteria } from "../webhooks/match-webhook.ts";
import type { ReviewedForm, ReviewedWrite } from "../webhooks/reviewed-write.ts";
import { definitionOf, type PolicyDefinition, readCriteria } from "./policy-definition.ts";
import { ConfigurationError, findParamKind, paramsOf, type ParamSource } from "./policy-params.ts";

/** The stored policies of one kind, and their bindings. */
export interface PolicyStores {
  readonly policies: ResourceStore;
  readonly bindings: ResourceStore;
  readonly namespaces: ResourceStore;
}

/** A binding that uses a policy for a write. */
export interface Invocation {
  readonly definition: PolicyDefinition;
  readonly binding: StoredObject;
  /** The form in which the policy sees the objects. */
  readonly form: ReviewedForm;
  /** Parameters with which the policy is evaluated, one after the other; null for none. */
  readonly params: readonly (JsonObject | null)[];
}

/** A policy, or a binding of it, that cannot be used for a write. */
export interface Misconfiguration {
  readonly definition: PolicyDefinition;
  readonly binding: StoredObject | undefined;
  readonly message: string;
}

/**
 * Finds the bindings and policies for a write, as k8s.io/apiserver
 * pkg/admission/plugin/policy/generic/policy_dispatcher.go. A real server has them in any order,
 * this one by their names.
 *
 * @throws {ApiError} 404 if the namespace of the write does not exist
 */
export function* invocationsFor(
  write: ReviewedWrite,
  stores: PolicyStores,
  source: ParamSource,
): Generator<Invocation | Misconfiguration, void> {
  const byPolicy = bindingsByPolicy(stores.bindings);
  for (const stored of stores.policies.objects()) {
    const bindings = byPolicy.get(stored.name);
    if (bindings === undefined) continue;
    const definition = definitionOf(stored);
    const form = matchingForm(definition.criteria, write, stores.namespaces);
    if (form !== undefined) yield* bound({ definition, form, write }, bindings, stores, source);
  }
}

interface Matched {
  readonly definition: PolicyDefinition;
  readonly form: ReviewedForm;
  readonly write: ReviewedWrite;
}

function* bound(
  { definition, form, write }: Matched,
  bindings: readonly StoredObject[],
  { namespaces }: PolicyStores,
  source: ParamSource,
): Generator<Invocation | Misconfiguration, void> {
  const { paramKind } = definition;
  const found = attempt(() => paramKind && findParamKind(source, paramKind));
  if (found instanceof ConfigurationError) {
    const message = `failed to configure policy: ${found.message}`;
    yield { definition, binding: undefined, message };
    return;
  }
  for (const binding of bindings) {
    const { matchResources } = recordOf(binding.object["spec"]);
    const isMatched =
      !isRecord(matchResources) ||
      matchingForm(readCriteria(matchResources), write, namespaces) !== undefined;
    if (!isMatched) continue;
    const params = attempt(() => paramsOf(source, found, binding.object, write.namespace));
    if (params instanceof ConfigurationError) {
      const message = `failed to configure binding: ${params.message}`;
      yield { definition, binding, message };
    } else yield { definition, binding, form, params };
  }
}

function bindingsByPolicy(store: ResourceStore): ReadonlyMap<string, readonly StoredObject[]> {
  const byPolicy = new Map<string, StoredObject[]>();
  for (const binding of store.objects()) {
    const name = text(binding.object, "spec", "policyName");
    const bindings = byPolicy.get(name);
    if (bindings === undefined) byPolicy.set(name, [binding]);
    else bindings.push(binding);
  }
  return byPolicy;
}

// A binding without rules is for all writes of its policy.
function matchingForm(
  criteria: MatchCriteria,
  write: ReviewedWrite,
  namespaces: ResourceStore,
): ReviewedForm | undefined {
  const { rules } = criteria;
  const given = rules.length > 0 ? criteria : { ...criteria, rules: [everything] };
  return formFor(given, write, namespaces);
}

const everything = {
  operations: ["*"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: ["*/*"],
  scope: "*",
} as const;

function attempt<T>(work: () => T): T | ConfigurationError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
}
