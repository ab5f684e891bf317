import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ServerCore } from "./server-core.ts";
import { namespaceTerminating, notFound } from "../api/errors.ts";

const namespaceNames = { group: "", plural: "namespaces", kind: "Namespace" };

/**
 * What the admission of a real server checks of the namespace of a new object: it must exist and
 * not be on its way out.
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
