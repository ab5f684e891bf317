import { recordOf, stringOf } from "@listwatch/core-fifo/base";
import {
  type Manifest,
  readManifests,
} from "../../../packages/fake-apiserver/src/adapters/node-manifests.ts";
import type { RealFile } from "./sources.ts";

/** The definitions of all releases, by what they define. */
export class Definitions {
  readonly #byKind = new Map<string, Manifest>();

  /** Reads the definitions in a file. */
  async add({ path }: RealFile): Promise<void> {
    const ignored = { onError: () => {}, onSkipped: () => {} };
    for (const manifest of await readManifests(path, ignored)) {
      if (manifest.kind !== "CustomResourceDefinition") continue;
      const { group, names } = recordOf(manifest.object["spec"]);
      const key = `${stringOf(group)} ${stringOf(recordOf(names)["kind"])}`;
      if (!this.#byKind.has(key)) this.#byKind.set(key, manifest);
    }
  }

  /** Returns those that objects need and do not bring themselves. */
  of(manifests: readonly Manifest[]): readonly Manifest[] {
    const present = new Set(manifests.map(({ kind, object }) => `${kind} ${nameOf(object)}`));
    const found = new Set<Manifest>();
    for (const { apiVersion, kind } of manifests) {
      const definition = this.#byKind.get(`${apiVersion.split("/")[0]} ${kind}`);
      if (definition === undefined) continue;
      const { object } = definition;
      if (!present.has(`CustomResourceDefinition ${nameOf(object)}`)) found.add(definition);
    }
    return [...found];
  }
}

function nameOf(object: Manifest["object"]): string {
  return stringOf(recordOf(object["metadata"])["name"]);
}
