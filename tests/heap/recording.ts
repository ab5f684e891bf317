import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordResources } from "../../packages/listwatch/src/recording/node-recorder.ts";
import { SmallServer } from "./server.ts";
import type { Scenario } from "./scenarios.ts";

const objects = 5000;
/** In 18 rounds 60,000 changes: each object changes every five minutes of an hour. */
const changesPerRound = 3334;

const resource = {
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  scope: "Namespaced",
  shortNames: [],
  singularName: "configmap",
  categories: [],
  verbs: ["list", "watch"],
  subresources: [],
} as const;

const newline = "\n".charCodeAt(0);

/** Counts the lines that a file gets. */
class LineCount {
  readonly #descriptor: number;
  readonly #bytes = new Uint8Array(2 ** 16);
  #lines = 0;

  constructor(file: string) {
    this.#descriptor = openSync(file, "r");
  }

  /** Waits until the file has this many lines. */
  async reaches(lines: number): Promise<void> {
    while (this.#lines < lines) {
      const size = readSync(this.#descriptor, this.#bytes);
      for (const byte of this.#bytes.subarray(0, size)) if (byte === newline) this.#lines += 1;
      if (size === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Records an hour of 5,000 objects, as fast as the recorder writes them. */
export const recording: Scenario = {
  name: "an hour of 5,000 objects, recorded with hashed names",
  start: async () => {
    const server = new SmallServer(objects);
    const folder = mkdtempSync(join(tmpdir(), "listwatch-heap-"));
    const file = join(folder, "recording.ndjson");
    const stop = new AbortController();
    const { connection } = server;
    const ended = recordResources(
      {
        connection,
        resources: [resource],
        includes: [],
        hashNames: true,
        file,
        onError: (_resource, error) => {
          throw error;
        },
      },
      stop.signal,
    );
    const count = new LineCount(file);
    // The header, the start of the list, its objects.
    let lines = 2 + objects;
    await count.reaches(lines);
    while (server.watches === 0) await new Promise((resolve) => setImmediate(resolve));
    const round = async (): Promise<void> => {
      server.sendChanges(changesPerRound);
      lines += changesPerRound;
      await count.reaches(lines);
    };
    const end = async (): Promise<void> => {
      stop.abort();
      await ended;
      count.close();
      rmSync(folder, { recursive: true });
    };
    return { round, end };
  },
};
