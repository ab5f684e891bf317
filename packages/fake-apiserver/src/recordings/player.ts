import {
  describeError,
  recordOf,
  sleep,
  type JsonObject,
  type Log,
} from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { Restorer } from "../server/restore.ts";
import type { ListLine, ObjectLine, RecordedResource, Recording, RecordingLine } from "./format.ts";
import { RecordedKeys, recordedKey, resourceName } from "./recorded-keys.ts";
import { RecordingError } from "./recording-error.ts";
import { lineNumbers } from "./recording-lines.ts";
import type { Divergence, ReplayOptions } from "./replay-options.ts";

/** Dependencies of {@link Player}. */
export interface PlayerParts {
  readonly restorer: Restorer;
  readonly recording: Recording;
  readonly options: ReplayOptions;
  readonly log: Log;
  /** Milliseconds from the start of the recording to the moment that the replay begins with. */
  readonly begin: number;
}

/** Stores what a recording contains. */
export class Player {
  /** Number of recorded changes that were left out so far. */
  divergences = 0;
  readonly #parts: PlayerParts;
  readonly #lines: AsyncIterator<RecordingLine>;
  /** The version under which this replay stored an object, by resource and key. */
  readonly #versions = new Map<string, string>();
  readonly #keys = new RecordedKeys();
  #next: RecordingLine | undefined;
  #loading: Promise<void> | undefined;
  #hasLoaded = false;
  /** Time of the last line that was read, in milliseconds since the start of the recording. */
  #reached = 0;
  #hasEnd = false;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
    this.#lines = parts.recording.lines[Symbol.asyncIterator]();
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async run(signal?: AbortSignal): Promise<void> {
    await this.load();
    const { clock } = this.#parts.restorer;
    const started = clock.now();
    const speed = this.#parts.options.speed ?? 1;
    const isAborted = (): boolean => signal?.aborted === true;
    for (; this.#next !== undefined; this.#next = await this.#read()) {
      if (isAborted()) return;
      const due = started + Math.max(0, this.#next.at - this.#parts.begin) / speed;
      const delayMs = due - clock.now();
      if (delayMs > 0) {
        await sleep(delayMs, { clock, signal }).catch(() => {});
        if (isAborted()) return;
      }
      await this.#play(this.#next);
    }
  }

  async #load(): Promise<void> {
    await this.#define();
    await this.#playBeginning();
    this.#hasLoaded = true;
  }

  /** Plays the first lists, and everything up to the moment to begin with. */
  async #playBeginning(): Promise<void> {
    const waiting = new Set(this.#parts.recording.header.resources.keys());
    for (;;) {
      const line = await this.#read();
      this.#next = line;
      if (line === undefined) return this.#checkBegin();
      const isFirstList = "resource" in line && waiting.has(line.resource);
      if (line.at > this.#parts.begin && !isFirstList) return;
      await this.#play(line);
      if (isFirstList && !this.#keys.isListing(line.resource)) waiting.delete(line.resource);
    }
  }

  /** @throws {RangeError} if the replay would begin after the last line of the recording */
  #checkBegin(): void {
    const { begin, options } = this.#parts;
    if (begin <= this.#reached) return;
    throw new RangeError(
      `Expected a moment until +${this.#reached}ms, the end of the recording, got "${options.at}"`,
    );
  }

  async #read(): Promise<RecordingLine | undefined> {
    const result = await this.#lines.next();
    if (result.done === true) {
      if (!this.#hasEnd) {
        this.#parts.log.warn("The recording is cut off: it has no END, later changes are missing", {
          lastMs: this.#reached,
        });
      }
      return undefined;
    }
    this.#reached = result.value.at;
    if (result.value.type === "END") this.#hasEnd = true;
    return result.value;
  }

  /** Defines the custom resources that the server does not have. */
  async #define(): Promise<void> {
    for (const resource of this.#parts.recording.header.resources) {
      try {
        const { group, kind, version } = resource;
        const apiVersion = group === "" ? version : `${group}/${version}`;
        this.#parts.restorer.stored({ apiVersion, kind, metadata: { name: "any" } });
      } catch {
        await this.#parts.restorer.restore(permissiveDefinition(resource));
      }
    }
  }

  async #play(line: RecordingLine): Promise<void> {
    try {
      await this.#playLine(line);
    } catch (cause) {
      const number = lineNumbers.get(line);
      throw number === undefined
        ? cause
        : new RecordingError(number, describeError(cause), { cause });
    }
  }

  async #playLine(line: RecordingLine): Promise<void> {
    if (line.type === "END") return;
    const missing = this.#keys.take(line);
    if (line.type !== "LIST") {
      const object = this.#identify(line, line.object);
      if (line.type === "DELETED") await this.#remove(line, object);
      else await this.#store(line, object);
    }
    for (const key of missing) await this.#remove(line, this.#identify(line, objectOf(key)));
  }

  async #store(line: ObjectLine, object: ApiObject): Promise<void> {
    if (this.#diverges(line, object, object)) return;
    await this.#undisturbed(() => this.#parts.restorer.restore(object));
    const version = this.#parts.restorer.stored(object)?.metadata.resourceVersion;
    this.#versions.set(idOf(line, object), version ?? "");
  }

  async #remove(line: ListLine | ObjectLine, object: ApiObject): Promise<void> {
    const isDivergent = this.#diverges(line, object, undefined);
    this.#versions.delete(idOf(line, object));
    if (isDivergent) return;
    await this.#undisturbed(async () => this.#parts.restorer.remove(object));
  }

  /** Whether the object was written since the replay stored it. Then this is reported. */
  #diverges(
    line: ListLine | ObjectLine,
    object: ApiObject,
    recorded: ApiObject | undefined,
  ): boolean {
    const stored = this.#parts.restorer.stored(object);
    const version = stored?.metadata.resourceVersion;
    const expected = this.#versions.get(idOf(line, object));
    // The recording replaces objects that a server has from its start: the namespace default.
    const isFromStart = expected === undefined && !this.#hasLoaded;
    if (isFromStart || this.#parts.options.writes !== "apply" || version === expected) return false;
    if (stored === undefined && recorded === undefined) return false;
    this.divergences++;
    const divergence: Divergence = {
      at: line.at,
      resource: resourceName(this.#resourceOf(line)),
      key: recordedKey(object),
      recorded,
      stored,
    };
    const { onDivergence } = this.#parts.options;
    if (onDivergence !== undefined) onDivergence(divergence);
    else
      this.#parts.log.warn("Left out a recorded change of an object that was written since", {
        ...divergence,
      });
    return true;
  }

  /** Holds the simulated controllers back where the recording contains what they did. */
  #undisturbed(work: () => Promise<unknown>): Promise<unknown> {
    return this.#parts.options.writes === "apply" ? work() : this.#parts.restorer.load(work);
  }

  /** Adds the type of a resource to an object, which lists leave out. */
  #identify(line: ListLine | ObjectLine, object: JsonObject): ApiObject {
    const { group, kind, version } = this.#resourceOf(line);
    const apiVersion = group === "" ? version : `${group}/${version}`;
    return { apiVersion, kind, ...object, metadata: recordOf(object["metadata"]) };
  }

  #resourceOf({ resource }: { readonly resource: number }): RecordedResource {
    const found = this.#parts.recording.header.resources[resource];
    if (found === undefined) throw new RangeError(`The recording has no resource ${resource}`);
    return found;
  }
}

function idOf({ resource }: { readonly resource: number }, object: ApiObject): string {
  return `${resource} ${recordedKey(object)}`;
}

/** Returns an object with the namespace and name of a key, and nothing else. */
function objectOf(key: string): JsonObject {
  const [name, namespace] = key.split("/").toReversed();
  return { metadata: { name, ...(namespace !== undefined && { namespace }) } };
}

/** Returns a definition that accepts every object of a recorded custom resource. */
function permissiveDefinition(recorded: RecordedResource): ApiObject {
  const { group, kind, namespaced, resource, version } = recorded;
  const schema = {
    openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${resource}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: resource, singular: kind.toLowerCase() },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        { name: version, served: true, storage: true, schema, subresources: { status: {} } },
      ],
    },
  };
}
