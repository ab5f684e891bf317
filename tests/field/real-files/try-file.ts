import { FakeApiServer } from "@listwatch/fake-apiserver";
import { loadManifests } from "../../../packages/fake-apiserver/src/adapters/node-load.ts";
import {
  type Manifest,
  readManifests,
} from "../../../packages/fake-apiserver/src/adapters/node-manifests.ts";
import { createRestorer } from "../../../packages/fake-apiserver/src/server/restore.ts";
import type { Definitions } from "./definitions.ts";
import type { RealFile } from "./sources.ts";

/** An object that the server did not take. */
export interface Refusal {
  /** For example `a.yaml:6`, in the release. */
  readonly place: string;
  /** The message of the server, with the kind and name of the object. */
  readonly why: string;
  readonly manifest: Manifest | undefined;
}

/** The result of loading a file. */
export interface Trial {
  readonly file: RealFile;
  /** Empty for a file that cannot be read, which is a template mostly. */
  readonly manifests: readonly Manifest[];
  readonly loaded: number;
  /** Objects of kinds for which there is no definition. */
  readonly unknown: number;
  readonly refused: readonly Refusal[];
}

/**
 * Loads a file as the command does with `--load`, into a separate server that has the definitions
 * of its kinds.
 */
export async function tryFile(file: RealFile, definitions: Definitions): Promise<Trial> {
  const all = await readManifests(file.path, { onError: ignore, onSkipped: ignore });
  const manifests = all.filter(({ kind }) => !isSetting(kind));
  const own = file.class === "definitions" ? [] : definitions.of(manifests);
  const server = new FakeApiServer({ seed: 1, bootstrap: "full", namespaces: "permissive" });
  const refused: Refusal[] = [];
  let unknown = 0;
  const loaded = await loadManifests(
    { fetch: server.fetch, restorer: createRestorer(server) },
    [...own, ...manifests],
    {
      onWarning: ignore,
      onError: (error) => {
        if (/ was refused: no resource of kind /.test(error.message)) {
          unknown++;
          return;
        }
        const manifest = manifests.find(
          ({ document, line }) => line === error.line && document === error.document,
        );
        const why = error.message.slice(error.message.indexOf(`${file.path}:`) + file.path.length);
        refused.push({
          place: `${file.name}:${String(error.line)}`,
          why: why.replace(/^:\d+: /, ""),
          manifest,
        });
      },
    },
  );
  return { file, manifests, loaded: loaded - own.length, unknown, refused };
}

/** Kinds that programs read from files, and that no server has. */
function isSetting(kind: string): boolean {
  return ["Kustomization", "Component", "Config", "Skaffold"].includes(kind);
}

function ignore(): void {}
