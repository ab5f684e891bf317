import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import { apiVersionOf } from "../api/api-versions.ts";
import type { ApiObject } from "../api/api-object.ts";
import { groupResource, type ResourceRegistry, storageName } from "../api/registry.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import { compileUntyped, UntypedFailure } from "../cel/untyped.ts";
import type { Storage } from "../storage/storage.ts";
import { storageKey } from "../storage/stored-object.ts";
import type { AdmissionRequest } from "./admission-plugin.ts";
import { isConstrained, selectorOf } from "./policy-match.ts";

/** Dependencies of {@link judgeByPolicies}. */
export interface PolicyContext {
  readonly storage: Pick<Storage, "store">;
  readonly registry: ResourceRegistry;
  /** Collects texts for Warning headers. */
  readonly warnings: string[];
}

const group = "admissionregistration.k8s.io";

/** The names of the stored policies and their bindings. */
const policyStores = [
  `validatingadmissionpolicies.${group}`,
  `validatingadmissionpolicybindings.${group}`,
] as const;

const noParams =
  "failed to configure binding: " +
  "no params found for policy binding with `Deny` parameterNotFoundAction";

/** A failed validation. */
interface Failure {
  readonly detail: string;
  readonly reason: string;
}

/**
 * Judges a write by the ValidatingAdmissionPolicies that are bound.
 *
 * @throws {ApiError} the refusal of the first policy that denies it
 */
export function judgeByPolicies(context: PolicyContext, request: AdmissionRequest): void {
  const { storage, warnings } = context;
  const [policies, bindings] = policyStores.map((name) => storage.store(name));
  let refusal: ApiError | undefined;
  for (const binding of bindings?.objects() ?? []) {
    const name = text(binding.object, "spec", "policyName");
    const policy = policies?.get(name)?.object;
    if (policy === undefined) continue;
    const bound = { policy, binding: binding.object };
    for (const failure of failuresOf(context, bound, request)) {
      const words = `ValidatingAdmissionPolicy '${name}' with binding '${binding.name}'`;
      const actions = texts(binding.object, "spec", "validationActions");
      if (actions.includes("Warn"))
        warnings.push(`Validation failed for ${words}: ${failure.detail}`);
      if (actions.includes("Deny")) refusal ??= denied(request, words, failure);
    }
  }
  if (refusal !== undefined) throw refusal;
}

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

function denied(request: AdmissionRequest, words: string, { detail, reason }: Failure): ApiError {
  const { resource } = request;
  const message = `${words} denied request: ${detail}`;
  const names = { group: resource.group, plural: resource.resource };
  return new ApiError({
    code: codes[reason] ?? 422,
    reason: codes[reason] === undefined ? "Invalid" : reason,
    message: `${groupResource(names)} ${JSON.stringify(request.name)} is forbidden: ${message}`,
    details: {
      name: request.name,
      ...(resource.group === "" ? {} : { group: resource.group }),
      kind: resource.resource,
      causes: [{ message }],
    },
  });
}

interface Bound {
  readonly policy: ApiObject;
  readonly binding: ApiObject;
}

function failuresOf(
  context: PolicyContext,
  { binding, policy }: Bound,
  request: AdmissionRequest,
): readonly Failure[] {
  const spec = recordOf(policy["spec"]);
  const isNamespace = request.resource.resource === "namespaces" && request.resource.group === "";
  const namespace = isNamespace
    ? undefined
    : context.storage.store("namespaces").get(request.namespace)?.object;
  const { matchConstraints } = spec;
  const matchResources = recordOf(binding["spec"])["matchResources"];
  const isSeen = [matchConstraints, matchResources].every((constraints) =>
    isConstrained(constraints, request, namespace),
  );
  if (!isSeen) return [];
  const params = paramsOf(context, spec, binding, request);
  if (typeof params === "string") return [{ detail: params, reason: "Invalid" }];
  const { object, oldObject, ...rest } = request;
  return params.flatMap((param) => {
    const variables = {
      object,
      oldObject,
      request: rest,
      params: param,
      namespaceObject: namespace ?? null,
    };
    return judge(context, spec, variables);
  });
}

/** Applies the conditions and validations of a policy; returns at most one failure. */
function judge(
  { warnings }: PolicyContext,
  spec: JsonObject,
  variables: JsonObject,
): readonly Failure[] {
  const ignores = text(spec, "failurePolicy") === "Ignore";
  const evaluation = compileUntyped(variables, objects(spec, "variables"), warnings);
  try {
    for (const condition of objects(spec, "matchConditions")) {
      if (evaluation.evaluate(text(condition, "expression")) !== true) return [];
    }
    for (const validation of objects(spec, "validations")) {
      const expression = text(validation, "expression");
      if (evaluation.evaluate(expression) !== false) continue;
      const computed = evaluation.message(text(validation, "messageExpression"));
      const fixed = text(validation, "message").trim();
      const fallback = fixed === "" ? `failed expression: ${expression.trim()}` : fixed;
      return [{ detail: computed ?? fallback, reason: text(validation, "reason") }];
    }
    return [];
  } catch (error) {
    if (!(error instanceof UntypedFailure)) throw error;
    return ignores ? [] : [{ detail: error.message, reason: "Invalid" }];
  }
}

/** The parameters of a binding, or the reason why the write is refused without any. */
function paramsOf(
  { registry, storage }: PolicyContext,
  spec: JsonObject,
  binding: ApiObject,
  request: AdmissionRequest,
): readonly unknown[] | string {
  const { paramKind } = spec;
  const paramRef = recordOf(binding["spec"])["paramRef"];
  if (!isRecord(paramKind) || !isRecord(paramRef)) return [null];
  const definition = [...registry.definitions()].find(
    ({ group: ofKind, kind, versions }) =>
      kind === text(paramKind, "kind") &&
      versions.some(({ name }) => apiVersionOf(ofKind, name) === text(paramKind, "apiVersion")),
  );
  const isNamespaced = definition?.namespaced === true;
  const namespace = isNamespaced ? text(paramRef, "namespace") || request.namespace : "";
  const store = definition === undefined ? undefined : storage.store(storageName(definition));
  const name = text(paramRef, "name");
  const found =
    name === ""
      ? [...(store?.objects() ?? [])].filter(
          ({ object }) =>
            (!isNamespaced || object.metadata.namespace === namespace) &&
            selectorOf(paramRef["selector"]).matches(object.metadata.labels),
        )
      : [store?.get(storageKey(namespace, name))].filter((one) => one !== undefined);
  if (found.length > 0) return found.map(({ object }) => object);
  return text(paramRef, "parameterNotFoundAction") === "Allow" ? [] : noParams;
}
