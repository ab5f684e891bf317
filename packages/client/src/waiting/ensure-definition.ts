import type { KubernetesObject } from "@listwatch/core-fifo";
import { objectName } from "@listwatch/core-fifo";
import { metadataOf, aString, checkOptions } from "@listwatch/core-fifo/base";
import { defineResource } from "../resource/resource.ts";
import type { Client } from "../verbs/client.ts";
import { isEstablished } from "./conditions-of-kinds.ts";
import { waitFor, waitForTable, type WaitForOptions } from "./wait-for.ts";

const definitions = defineResource<KubernetesObject, "Cluster">({
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  scope: "Cluster",
});

/** Options of {@link ensureDefinition}. */
export interface EnsureDefinitionOptions extends WaitForOptions {
  /** Field manager of the definition. @default the client's */
  readonly fieldManager?: string | undefined;
}

/** In milliseconds. An API server takes one or two seconds. */
const defaultTimeoutMs = 30_000;

/**
 * Applies a CustomResourceDefinition, taking over fields of other managers, and waits until its
 * objects can be written. An up-to-date definition is not written. The client's discovery is
 * refreshed, so that it finds the new kind.
 *
 * @throws {WaitError} with the conditions of the definition, if it is not established in time
 * @throws {StatusError} if the server refuses the definition
 */
export async function ensureDefinition(
  client: Client,
  definition: object,
  options: EnsureDefinitionOptions = {},
): Promise<void> {
  checkOptions(options, { ...waitForTable, fieldManager: aString });
  const { fieldManager, timeoutMs = defaultTimeoutMs, ...rest } = options;
  const resource = client.resource(definitions);
  const { signal } = rest;
  const { name } = objectName(definition);
  const named = { ...definition, metadata: { ...metadataOf(definition), name } };
  await resource.apply(named, { force: true, fieldManager, signal });
  await waitFor(resource, name, isEstablished, { ...rest, timeoutMs });
  client.discovery.invalidate();
}
