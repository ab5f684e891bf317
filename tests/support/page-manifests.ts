import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient, ensureDefinition, type Connection } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { isRecord } from "@listwatch/core-fifo/base";
import { readYaml } from "@listwatch/fake-apiserver/yaml";
import { namespaces } from "@listwatch/resources/core/v1";
import { fencesIn } from "./fences.ts";

/** An object with a name, as a manifest has it. */
type NamedObject = KubernetesObject & {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly [member: string]: unknown;
};

/** An object that a page or README shows. */
export interface Manifest {
  /** The file that has it, with the line of a block. */
  readonly place: string;
  readonly object: NamedObject;
}

/** A manifest and what a server stored for it. */
export interface AppliedManifest extends Manifest {
  readonly stored: KubernetesObject;
}

const root = join(import.meta.dirname, "../..");
const pages = ["README.md", "packages/*/README.md", "apps/docs/src/content/docs/**/*.{md,mdx}"];
const rolledOut = { namespace: "greeter" };
/** Kinds of the Prometheus Operator, whose definitions no server has. */
const monitoring = "monitoring.coreos.com/v1";

/** Returns all manifests that the pages and READMEs show, as blocks and as imported files. */
export function manifestsOfPages(): readonly Manifest[] {
  return globSync(pages, { cwd: root })
    .toSorted()
    .flatMap(yamlOf)
    .flatMap(({ place, text }) =>
      [...readYaml(text)].map((value) => ({ place, object: wholeObject(value, place) })),
    );
}

function yamlOf(page: string): readonly { readonly place: string; readonly text: string }[] {
  const markdown = readFileSync(join(root, page), "utf8");
  const blocks = fencesIn(markdown)
    .filter(({ language }) => language === "yaml" || language === "yml")
    .map(({ line, text }) => ({ place: `${page}:${line}`, text }));
  const imports = markdown.matchAll(/from "([^"]+\.ya?ml)\?raw"/g);
  const files = [...imports].map(([, path = ""]) => join(dirname(page), path));
  return blocks.concat(
    files.map((place) => ({ place, text: readFileSync(join(root, place), "utf8") })),
  );
}

/** Whether a manifest is of a kind that the Prometheus Operator defines. */
export function isOfPrometheusOperator({ object }: Manifest): boolean {
  return object.apiVersion === monitoring;
}

/** Completes a part of an object, which a page shows where the rest does not matter. */
function wholeObject(value: unknown, place: string): NamedObject {
  if (isObject(value)) return value;
  if (isRecord(value)) {
    const { groups, livenessProbe, rules } = value;
    const metadata = { name: place.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-") };
    if (rules !== undefined) {
      return { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata, rules };
    }
    if (groups !== undefined) {
      return {
        apiVersion: monitoring,
        kind: "PrometheusRule",
        metadata: { ...metadata, ...rolledOut },
        spec: { groups },
      };
    }
    if (livenessProbe !== undefined) {
      const containers = [{ name: "operator", image: "operator", ...value }];
      return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ...metadata, ...rolledOut },
        spec: { containers, automountServiceAccountToken: false },
      };
    }
  }
  throw new Error(`${place} shows YAML that is neither an object nor a known part of one`);
}

function isObject(value: unknown): value is NamedObject {
  if (!isRecord(value) || typeof value["kind"] !== "string") return false;
  return isRecord(value["metadata"]) && typeof value["metadata"]["name"] === "string";
}

/**
 * Applies manifests to a server as `kubectl apply --server-side` does, with strict validation:
 * first definitions and namespaces, and each object in a dry run before.
 *
 * @param definitions of kinds that no manifest defines
 * @throws {Error} with the place of the first manifest that the server refuses
 */
export async function applyManifests(
  connection: Connection,
  manifests: readonly Manifest[],
  definitions: readonly object[] = [],
): Promise<readonly AppliedManifest[]> {
  const warnings: string[] = [];
  const client = createClient(connection, {
    fieldManager: "manifests",
    fieldValidation: "Strict",
    onWarning: ({ text }) => void warnings.push(text),
  });
  for (const definition of definitions) await ensureDefinition(client, definition);
  const named = new Set(manifests.flatMap(({ object }) => object.metadata.namespace ?? []));
  for (const name of named) await client.resource(namespaces).apply({ metadata: { name } });
  const definitionsFirst = manifests.toSorted((a, b) => rankOf(a) - rankOf(b));
  const applied: AppliedManifest[] = [];
  for (const manifest of definitionsFirst) {
    const { object, place } = manifest;
    const { apiVersion = "", kind = "" } = object;
    try {
      if (kind === "CustomResourceDefinition") await ensureDefinition(client, object);
      client.discovery.invalidate();
      const resource = await client.discovery.forKind({ apiVersion, kind });
      if (resource === undefined) throw new Error("the server has no such kind");
      const all = client.resource(resource);
      const draft = { ...object, apiVersion, kind };
      await all.apply(draft, { force: true, dryRun: true });
      applied.push({ ...manifest, stored: await all.apply(draft, { force: true }) });
    } catch (error) {
      throw new Error(`Cannot apply the ${kind} of ${place}`, { cause: error });
    }
  }
  if (warnings.length > 0) throw new Error(`the server warns: ${warnings.join("; ")}`);
  return applied;
}

function rankOf({ object }: Manifest): number {
  return ["CustomResourceDefinition", "Namespace"].includes(object.kind ?? "") ? 0 : 1;
}
