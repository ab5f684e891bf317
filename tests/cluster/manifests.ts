import assert from "node:assert/strict";
import {
  createClient,
  createConnection,
  isNotFound,
  waitFor,
  type Connection,
} from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { isRecord } from "@listwatch/core-fifo/base";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { namespaces } from "@listwatch/resources/core/v1";
import { projects } from "../field/custom-resources/projects.ts";
import { hasGo, readDefinitions } from "../field/custom-resources/released-files.ts";
import {
  applyManifests,
  isOfPrometheusOperator,
  manifestsOfPages,
  type AppliedManifest,
} from "../support/page-manifests.ts";
import { describe } from "./programs/checks.ts";
import type { Counts } from "./run-program.ts";

/** Applies the manifests of all pages and READMEs, compares the result with the fake server's. */
export async function runManifestChecks(connection: Connection): Promise<Counts> {
  const definitions = hasGo ? definitionsOfPrometheusOperator() : [];
  const manifests = manifestsOfPages().filter(
    (manifest) => definitions.length > 0 || !isOfPrometheusOperator(manifest),
  );
  if (!hasGo) console.log("manifests: without Go, those of the Prometheus Operator are left out");
  const api = new FakeApiServer({ bootstrap: "full" });
  const fake = createConnection({
    server: "http://cluster",
    fetch: (request) => api.fetch(request),
  });
  try {
    const applied = await applyManifests(connection, manifests, definitions);
    const expected = await applyManifests(fake, manifests, definitions);
    assert.deepEqual(applied.map(comparable), expected.map(comparable));
    console.log(`ok   manifests: the server takes all ${applied.length} of the pages`);
    await deleteAll(connection, applied, definitions);
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.log(`FAIL manifests: ${describe(error)}`);
    return { passed: 0, failed: 1 };
  }
}

/** The definitions of a release, which need several seconds to be downloaded once. */
function definitionsOfPrometheusOperator(): readonly KubernetesObject[] {
  const project = projects.find(({ name }) => name === "Prometheus operator");
  assert.ok(project);
  return readDefinitions(project).filter(
    (definition): definition is KubernetesObject =>
      isRecord(definition) &&
      /^(?:podmonitors|prometheusrules|servicemonitors)\./.test(
        String((definition as KubernetesObject).metadata?.name),
      ),
  );
}

/** Returns an object without the members that differ between any two servers. */
function comparable({ place, stored }: AppliedManifest): object {
  const { metadata, status: _status, ...rest } = stored as KubernetesObject & { status?: unknown };
  const { labels, name, namespace } = metadata ?? {};
  return { place, ...rest, metadata: { labels, name, namespace } };
}

/** Leaves the server as it was, for the parts that follow. */
async function deleteAll(
  connection: Connection,
  applied: readonly AppliedManifest[],
  definitions: readonly KubernetesObject[],
): Promise<void> {
  const client = createClient(connection, { onWarning: () => {} });
  const objects = [...definitions, ...applied.map(({ stored }) => stored)];
  const named = new Set(objects.flatMap(({ metadata }) => metadata?.namespace ?? []));
  const all = [...named].map((name): KubernetesObject => {
    return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  });
  for (const { apiVersion = "", kind = "", metadata } of [...objects, ...all].toReversed()) {
    const resource = await client.discovery.forKind({ apiVersion, kind });
    if (resource === undefined) continue;
    const { name = "", namespace } = metadata ?? {};
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    await client
      .resource(resource)
      .delete(key)
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }
  // A namespace is gone when the controller has emptied it.
  for (const name of named) {
    await waitFor(client.resource(namespaces), name, (found) => found === undefined);
  }
}
