import { closeSync, openSync, writeSync } from "node:fs";
import { isStatusError, type Connection, type DiscoveredResource } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type {
  ObjectLine,
  RecordedResource,
  RecordingHeader,
  RecordingLine,
} from "@listwatch/fake-apiserver";
import { httpListerWatcher, Reflector, type ReflectorStore } from "@listwatch/reflector";
import { NameHashes } from "./node-name-hashes.ts";
import { readIncludedPath, Redaction } from "./redaction.ts";

/** Resources to record, and how. */
export interface RecordOptions {
  readonly connection: Connection;
  readonly resources: readonly DiscoveredResource[];
  /** Only objects of this namespace. @default all namespaces */
  readonly namespace?: string | undefined;
  /** Label selector of all resources. @default all objects */
  readonly selector?: string | undefined;
  /** Paths to record as they are, as `RESOURCE:PATH`. */
  readonly includes: readonly string[];
  readonly hashNames: boolean;
  /** File to write. It must not exist: a recording is never overwritten. */
  readonly file: string;
  /** Called with each error that the recorder recovers from. */
  readonly onError: (resource: string, error: unknown) => void;
}

/** Numbers of a recording. */
export interface RecordingSummary {
  readonly lists: number;
  readonly objects: number;
  readonly changes: number;
}

/**
 * Writes what a cluster sends about resources, until the signal is aborted. Holds no objects, so
 * the memory does not grow with the time.
 *
 * @throws {Error} if the file exists or cannot be written, or the server refuses a first list
 */
export async function recordResources(
  options: RecordOptions,
  signal: AbortSignal,
): Promise<RecordingSummary> {
  const { connection, hashNames, includes, namespace, selector } = options;
  const paths = includes.map((text) => readIncludedPath(text));
  const hashes = hashNames ? new NameHashes() : undefined;
  const resources = options.resources.map(recordedResource);
  const file = new RecordingFile(options.file, {
    recording: 1,
    startedAt: new Date().toISOString(),
    resources,
    includes,
    hashedNames: hashNames,
  });
  const failure = new AbortController();
  const ended = AbortSignal.any([signal, failure.signal]);
  try {
    await Promise.all(
      options.resources.map(async (resource, index) => {
        const recorded = resources[index];
        if (recorded === undefined) return;
        let hasListed = false;
        const store = file.store(index, recorded, new Redaction(recorded, paths, hashes));
        const replace: typeof store.replace = (...list) => {
          hasListed = true;
          return store.replace(...list);
        };
        const reflector = new Reflector<KubernetesObject>({
          name: resource.resource,
          listerWatcher: httpListerWatcher({
            connection,
            resource,
            namespace: resource.scope === "Cluster" ? undefined : namespace,
            labelSelector: selector,
            // All of each object is written.
            lazy: false,
          }),
          store: { ...store, replace },
          onError: (error) => {
            if (!hasListed && isRefusal(error)) return "stop";
            options.onError(resource.resource, error);
            return "retry";
          },
        });
        await reflector.run(ended).catch((error: unknown) => {
          failure.abort();
          throw error;
        });
      }),
    );
  } finally {
    file.end();
  }
  return file.summary;
}

function isRefusal(error: unknown): boolean {
  return isStatusError(error) && [401, 403, 404, 405].includes(error.httpCode);
}

function recordedResource(resource: DiscoveredResource): RecordedResource {
  const { group, kind, resource: plural, scope, version } = resource;
  return { group, version, resource: plural, kind, namespaced: scope !== "Cluster" };
}

/** Lines of a recording in a file. */
class RecordingFile {
  readonly #descriptor: number;
  readonly #startMs: number;
  #reachedMs = 0;
  #lists = 0;
  #objects = 0;
  #changes = 0;

  constructor(path: string, header: RecordingHeader) {
    // Only readable by its user: it contains what the user may read in the cluster.
    this.#descriptor = openSync(path, "wx", 0o600);
    this.#startMs = Date.parse(header.startedAt);
    this.#write(header);
  }

  get summary(): RecordingSummary {
    return { lists: this.#lists, objects: this.#objects, changes: this.#changes };
  }

  store(
    resource: number,
    recorded: RecordedResource,
    redaction: Redaction,
  ): ReflectorStore<KubernetesObject> {
    const { group, kind, version } = recorded;
    const apiVersion = group === "" ? version : `${group}/${version}`;
    const line = (at: number, type: ObjectLine["type"], read: KubernetesObject): void => {
      const { object, omitted } = redaction.redact({ apiVersion, kind, ...read });
      const hasOmitted = Object.keys(omitted).length > 0;
      this.#write({ at, type, resource, object, ...(hasOmitted && { omitted }) });
    };
    const change = (type: ObjectLine["type"], object: KubernetesObject): void => {
      this.#changes++;
      line(this.#now(), type, object);
    };
    return {
      add: (object) => change("ADDED", object),
      update: (object) => change("MODIFIED", object),
      delete: (object) => change("DELETED", object),
      replace: (objects, resourceVersion) => {
        const at = this.#now();
        this.#lists++;
        this.#objects += objects.length;
        this.#write({ at, type: "LIST", resource, items: objects.length, resourceVersion });
        for (const object of objects) line(at, "LISTED", object);
      },
    };
  }

  end(): void {
    this.#write({ at: this.#now(), type: "END" });
    closeSync(this.#descriptor);
  }

  /** Returns milliseconds since the start, which never go back. */
  #now(): number {
    this.#reachedMs = Math.max(this.#reachedMs, Date.now() - this.#startMs);
    return this.#reachedMs;
  }

  /** Writes at once, so that nothing waits in memory and a kill loses at most one line. */
  #write(line: RecordingHeader | RecordingLine): void {
    const bytes = new TextEncoder().encode(`${JSON.stringify(line)}\n`);
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#descriptor, bytes, written);
    }
  }
}
