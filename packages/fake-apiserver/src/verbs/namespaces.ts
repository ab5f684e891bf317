import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ServerCore } from "./server-core.ts";
import { namespaceTerminating, notFound } from "../api/errors.ts";

const namespaceNames = { group: "", plural: "namespaces", kind: "Namespace" };

/**
 * Checks the namespace of a new object like the admission of a real server: it must exist and must
 * not be terminating.
 *
 * @throws {ApiError} 404 or 403; never for missing namespaces when the server is permissive
 */
export function checkNamespace(
  { settings, storage }: Pick<ServerCore, "settings" | "storage">,
  definition: ResourceDefinition,
  namespace: string,
  name: string,
): void {
  const found = storage.store(namespaceNames.plural).get(namespace);
  if (found === undefined) {
    if (settings.namespaces === "strict") throw notFound(namespaceNames, namespace);
    return;
  }
  if (found.isTerminating) throw namespaceTerminating(definition, name, namespace);
}
