import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { apiVersionOf } from "../api/api-versions.ts";
import type { ApiObject } from "../api/api-object.ts";
import { type FoundResource, type ResourceRegistry, storageName } from "../api/registry.ts";
import { text } from "../base/read-fields.ts";
import type { Storage } from "../storage/storage.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import { selectorOf } from "../webhooks/webhook-configuration.ts";
import type { PolicyDefinition } from "./policy-definition.ts";

/** Where parameters are stored. */
export interface ParamSource {
  readonly storage: Pick<Storage, "store">;
  readonly registry: ResourceRegistry;
}

/** A policy or binding that cannot be used. The message is that of a real server. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

type ParamKind = NonNullable<PolicyDefinition["paramKind"]>;

/**
 * Finds the resource of a kind of parameters.
 *
 * @throws {ConfigurationError} if it is not served
 */
export function findParamKind({ registry }: ParamSource, paramKind: ParamKind): FoundResource {
  const { apiVersion, kind } = paramKind;
  for (const definition of registry.definitions()) {
    if (definition.kind !== kind) continue;
    const served = definition.versions.find(
      ({ name }) => apiVersionOf(definition.group, name) === apiVersion,
    );
    if (served !== undefined) return { definition, served };
  }
  const slash = apiVersion.includes("/") ? "" : "/";
  throw new ConfigurationError(
    `failed to find resource referenced by paramKind: '${slash}${apiVersion}, Kind=${kind}'`,
  );
}

/**
 * Returns the parameters with which a binding uses its policy; null for none.
 *
 * @param found resource of the policy's `paramKind`
 * @param requestNamespace namespace of the write
 * @throws {ConfigurationError} if the binding needs parameters that do not exist
 */
export function paramsOf(
  { storage }: ParamSource,
  found: FoundResource | undefined,
  binding: ApiObject,
  requestNamespace: string,
): readonly (JsonObject | null)[] {
  const { paramRef } = recordOf(binding["spec"]);
  if (found === undefined || !isRecord(paramRef)) return [null];
  const { definition, served } = found;
  const namespace = namespaceOf(definition.namespaced, paramRef, requestNamespace);
  const store = storage.store(storageName(definition));
  const name = text(paramRef, "name");
  const objects =
    name === ""
      ? selected(store.objects(), definition.namespaced, namespace, paramRef["selector"])
      : [store.get(storageKey(namespace, name))].filter((one) => one !== undefined);
  if (objects.length === 0 && text(paramRef, "parameterNotFoundAction") === "Deny") {
    throw new ConfigurationError(
      "no params found for policy binding with `Deny` parameterNotFoundAction",
    );
  }
  const conversion = served.conversion ?? definition.storedAs;
  const apiVersion = apiVersionOf(definition.group, served.name);
  const { kind } = definition;
  return objects.map(({ object }) =>
    Object.assign({ apiVersion, kind }, conversion?.fromStored(object) ?? object),
  );
}

function namespaceOf(isNamespaced: boolean, paramRef: JsonObject, requested: string): string {
  const given = text(paramRef, "namespace");
  if (!isNamespaced) {
    if (given === "") return "";
    throw new ConfigurationError(
      "paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
    );
  }
  const namespace = given === "" ? requested : given;
  if (namespace !== "") return namespace;
  throw new ConfigurationError(
    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
  );
}

function selected(
  all: Iterable<StoredObject>,
  isNamespaced: boolean,
  namespace: string,
  selector: unknown,
): readonly StoredObject[] {
  const wanted = selectorOf(selector);
  return [...all].filter(
    ({ labels, namespace: own }) => (!isNamespaced || own === namespace) && wanted.matches(labels),
  );
}
