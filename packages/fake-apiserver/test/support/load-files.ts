import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { loadManifests } from "../../src/adapters/node-load.ts";
import { readManifests } from "../../src/adapters/node-manifests.ts";
import { createRestorer } from "../../src/server/restore.ts";
import { ApiClient } from "./api-client.ts";

/** A server after a load, and what the load reported. */
export interface LoadedServer {
  readonly client: ApiClient;
  readonly loaded: number;
  /** Relative to the folder. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Options of {@link loadFiles}. */
export interface LoadFilesOptions extends FakeApiServerOptions {
  readonly creationTimestamp?: string;
  /** The path that is loaded. @default the folder with all files */
  readonly path?: string;
}

/** Loads files by their names, as the command does with `--load`. */
export async function loadFiles(
  files: Readonly<Record<string, string>>,
  { creationTimestamp, path = "", ...options }: LoadFilesOptions = {},
): Promise<LoadedServer> {
  const folder = await mkdtemp(join(tmpdir(), "load-files-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const errors: string[] = [];
    const warnings: string[] = [];
    const shorten = (text: string): string => text.replaceAll(`${folder}/`, "");
    const onError = ({ message }: Error): unknown => errors.push(shorten(message));
    const onWarning = (text: string): unknown => warnings.push(shorten(text));
    const manifests = await readManifests(join(folder, path), { onError, onSkipped: onWarning });
    const server = new FakeApiServer({ seed: 1, bootstrap: "full", ...options });
    const restorer = createRestorer(server);
    const target = { fetch: server.fetch, restorer };
    const reports = { onError, onWarning, creationTimestamp };
    const loaded = await loadManifests(target, manifests, reports);
    return { client: new ApiClient(server), loaded, errors, warnings };
  } finally {
    await rm(folder, { recursive: true });
  }
}
