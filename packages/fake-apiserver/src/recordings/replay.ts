import {
  aFunction,
  aLog,
  checkOptions,
  consoleLog,
  guardLog,
  oneOf,
  recordOf,
  sleep,
  type JsonObject,
  type Log,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { Fetch, FetchHandler } from "../api/request.ts";
import { statusOf } from "../api/status.ts";
import { parseRequestInfo, requestOf, type RequestInfo } from "../input/request-info.ts";
import { errorFormat } from "../output/negotiation.ts";
import { documentResponse } from "../output/result.ts";
import { findReview } from "../reviews/reviews.ts";
import type { FakeApiServer } from "../server/fake-api-server.ts";
import { createRestorer, type Restorer } from "../server/restore.ts";
import type { ListLine, ObjectLine, RecordedResource, RecordingLine } from "./format.ts";
import { RecordedKeys, recordedKey } from "./recorded-keys.ts";
import { resourceName, type Recording } from "./recording.ts";

/** Options of {@link Replay}. */
export interface ReplayOptions {
  /**
   * Moment of the recording to begin with: `+3m12s` since its start, or an ISO time. The state of
   * that moment is stored at once, and the rest follows. The first list of each resource is stored
   * at once in any case.
   *
   * @default "+0s"
   */
  readonly at?: string | undefined;
  /** Speed of the replay: 10 plays an hour in 6 minutes of the server's clock. @default 1 */
  readonly speed?: number | undefined;
  /**
   * Answer to writes of clients. `"refuse"` answers 405. With `"apply"` they count, and a recorded
   * change of an object that another client has written since is left out and reported as a
   * divergence.
   *
   * @default "refuse"
   */
  readonly writes?: "apply" | "refuse" | undefined;
  /** Called with each recorded change that was left out. @default the log, as a warning */
  readonly onDivergence?: ((divergence: Divergence) => void) | undefined;
  /** Log of the replay. @default console */
  readonly log?: Log | undefined;
}

/** A recorded change that was left out, since the object was written during the replay. */
export interface Divergence {
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  /** Plural name of the resource, with its group: `deployments.apps`. */
  readonly resource: string;
  /** Namespace and name of the object: `default/web`. */
  readonly key: string;
  /** State in the recording; `undefined` if it was deleted there. */
  readonly recorded: JsonObject | undefined;
  /** State in the server, which stays; `undefined` if it was deleted. */
  readonly stored: JsonObject | undefined;
}

const replayOptions: OptionsOf<ReplayOptions> = {
  at: (value) => (typeof value === "string" ? undefined : "a moment such as +3m12s"),
  speed: (value) =>
    typeof value === "number" && value > 0 && value < Infinity ? undefined : "a positive number",
  writes: oneOf("apply", "refuse"),
  onDivergence: aFunction,
  log: aLog,
};

/**
 * Plays a recording of `listwatch record` into a fake API server. Recorded changes are writes of
 * another client there: they get versions of the server, and its watches report them. Uids,
 * creation times and owners are those of the recording.
 *
 * Send the requests of the program under test to {@link fetch}.
 *
 * The server's simulated controllers, such as the garbage collector, wait during the replay when
 * writes are refused, since the recording contains what those of the cluster did. A custom resource
 * whose definition was not recorded gets a definition that accepts every object.
 *
 * ```ts
 * import { FakeApiServer, Replay, readRecording } from "@listwatch/fake-apiserver";
 *
 * const recording = await readRecording([
 *   JSON.stringify({
 *     recording: 1,
 *     startedAt: "2026-11-02T10:00:00Z",
 *     includes: [],
 *     hashedNames: false,
 *     resources: [
 *       { group: "", version: "v1", resource: "pods", kind: "Pod", namespaced: true },
 *     ],
 *   }),
 *   '{"at":5,"type":"LIST","resource":0,"items":0,"resourceVersion":"7"}',
 *   '{"at":9,"type":"END"}',
 * ]);
 * const replay = new Replay(new FakeApiServer(), recording);
 * await replay.run();
 * const answer = await replay.fetch("http://localhost/api/v1/pods");
 * if (answer.status !== 200) throw new Error(await answer.text());
 * ```
 */
export class Replay implements FetchHandler {
  readonly #server: FakeApiServer;
  readonly #restorer: Restorer;
  readonly #recording: Recording;
  readonly #lines: AsyncIterator<RecordingLine>;
  readonly #options: ReplayOptions;
  readonly #log: Log;
  readonly #begin: number;
  /** The version under which this replay stored an object, by resource and key. */
  readonly #versions = new Map<string, string>();
  readonly #keys = new RecordedKeys();
  #next: RecordingLine | undefined;
  #loading: Promise<void> | undefined;
  #hasLoaded = false;
  #hasRun = false;
  #divergences = 0;

  /**
   * @throws {@link InvalidOptionsError} for an unknown or mistyped option, {@link TypeError} for a
   *   moment before the start of the recording
   */
  constructor(server: FakeApiServer, recording: Recording, options: ReplayOptions = {}) {
    checkOptions(options, replayOptions);
    this.#server = server;
    this.#restorer = createRestorer(server);
    this.#recording = recording;
    this.#lines = recording.lines[Symbol.asyncIterator]();
    this.#options = options;
    this.#log = guardLog(options.log ?? consoleLog);
    this.#begin = recording.moment(options.at ?? "+0s");
  }

  /** Number of recorded changes that were left out so far. */
  get divergences(): number {
    return this.#divergences;
  }

  /** Answers a request from the server. Refuses writes unless the option `writes` is `"apply"`. */
  readonly fetch: Fetch = async (input, init) => {
    const request = requestOf(input, init);
    if (this.#options.writes === "apply") return this.#server.fetch(request);
    const info = parseRequestInfo(request);
    if (!isWrite(info)) return this.#server.fetch(request);
    const what = `${info.verb || info.method} ${info.path}`;
    this.#log.warn("Refused a write during a replay", { request: what });
    const refusal = new ApiError({
      code: 405,
      reason: "MethodNotAllowed",
      message: `the server replays a recording and refuses writes: ${what}`,
    });
    return documentResponse(request, 405, statusOf(refusal), errorFormat(info));
  };

  /**
   * Stores the state at the option `at`. {@link run} does the same when it begins.
   *
   * @throws {@link RecordingError} for an unusable line, {Error} for an object that the server
   *   cannot store
   */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /**
   * Plays the rest of the recording on the server's clock. The promise resolves after its last
   * line, or when the signal is aborted.
   *
   * @throws as {@link load}; {@link TypeError} if it is called twice
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#hasRun) throw new TypeError("Expected one call of run(), got a second one");
    this.#hasRun = true;
    await this.load();
    const { clock } = this.#restorer;
    const started = clock.now();
    const speed = this.#options.speed ?? 1;
    const isAborted = (): boolean => signal?.aborted === true;
    for (; this.#next !== undefined; this.#next = await this.#read()) {
      if (isAborted()) return;
      const due = started + Math.max(0, this.#next.at - this.#begin) / speed;
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
    const waiting = new Set(this.#recording.header.resources.keys());
    for (;;) {
      const line = await this.#read();
      this.#next = line;
      if (line === undefined) return;
      const isFirstList = "resource" in line && waiting.has(line.resource);
      if (line.at > this.#begin && !isFirstList) return;
      await this.#play(line);
      if (isFirstList && !this.#keys.isListing(line.resource)) waiting.delete(line.resource);
    }
  }

  async #read(): Promise<RecordingLine | undefined> {
    const result = await this.#lines.next();
    return result.done === true ? undefined : result.value;
  }

  /** Defines the custom resources that the server does not have. */
  async #define(): Promise<void> {
    for (const resource of this.#recording.header.resources) {
      try {
        const { group, kind, version } = resource;
        const apiVersion = group === "" ? version : `${group}/${version}`;
        this.#restorer.stored({ apiVersion, kind, metadata: { name: "any" } });
      } catch {
        await this.#restorer.restore(permissiveDefinition(resource));
      }
    }
  }

  async #play(line: RecordingLine): Promise<void> {
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
    await this.#undisturbed(() => this.#restorer.restore(object));
    const version = this.#restorer.stored(object)?.metadata.resourceVersion;
    this.#versions.set(idOf(line, object), version ?? "");
  }

  async #remove(line: ListLine | ObjectLine, object: ApiObject): Promise<void> {
    const isDivergent = this.#diverges(line, object, undefined);
    this.#versions.delete(idOf(line, object));
    if (isDivergent) return;
    await this.#undisturbed(async () => this.#restorer.remove(object));
  }

  /** Whether the object was written since the replay stored it. Then this is reported. */
  #diverges(
    line: ListLine | ObjectLine,
    object: ApiObject,
    recorded: ApiObject | undefined,
  ): boolean {
    const stored = this.#restorer.stored(object);
    const version = stored?.metadata.resourceVersion;
    const expected = this.#versions.get(idOf(line, object));
    // The recording replaces objects that a server has from its start: the namespace default.
    const isFromStart = expected === undefined && !this.#hasLoaded;
    if (isFromStart || this.#options.writes !== "apply" || version === expected) return false;
    if (stored === undefined && recorded === undefined) return false;
    this.#divergences++;
    const divergence: Divergence = {
      at: line.at,
      resource: resourceName(this.#resourceOf(line)),
      key: recordedKey(object),
      recorded,
      stored,
    };
    const { onDivergence } = this.#options;
    if (onDivergence !== undefined) onDivergence(divergence);
    else
      this.#log.warn("Left out a recorded change of an object that was written since", {
        ...divergence,
      });
    return true;
  }

  /** Holds the simulated controllers back where the recording contains what they did. */
  #undisturbed(work: () => Promise<unknown>): Promise<unknown> {
    return this.#options.writes === "apply" ? work() : this.#restorer.load(work);
  }

  /** Adds the type of a resource to an object, which lists leave out. */
  #identify(line: ListLine | ObjectLine, object: JsonObject): ApiObject {
    const { group, kind, version } = this.#resourceOf(line);
    const apiVersion = group === "" ? version : `${group}/${version}`;
    return { apiVersion, kind, ...object, metadata: recordOf(object["metadata"]) };
  }

  #resourceOf({ resource }: { readonly resource: number }): RecordedResource {
    const found = this.#recording.header.resources[resource];
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

/** Whether the request would change what is stored. */
function isWrite(info: RequestInfo): boolean {
  if (!info.isResource || info.method === "GET" || info.method === "HEAD") return false;
  if (findReview(info) !== undefined || info.query.has("dryRun")) return false;
  // Tokens are made, and not stored.
  return (
    info.subresource !== "token" &&
    !["attach", "exec", "portforward", "proxy"].includes(info.subresource)
  );
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
