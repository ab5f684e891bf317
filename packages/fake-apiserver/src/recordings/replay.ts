import {
  aFunction,
  aLog,
  checkOptions,
  consoleLog,
  guardLog,
  oneOf,
  type Log,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import type { Fetch, FetchHandler } from "../api/request.ts";
import { statusOf } from "../api/status.ts";
import { loadOnce } from "../base/load-once.ts";
import { parseRequestInfo, requestOf, type RequestInfo } from "../input/request-info.ts";
import { errorFormat } from "../output/negotiation.ts";
import { documentResponse } from "../output/result.ts";
import { findReview } from "../reviews/find-review.ts";
import type { FakeApiServer } from "../server/fake-api-server.ts";
import { createRestorer } from "../server/restore.ts";
import type { Recording } from "./format.ts";
import type { Player } from "./player.ts";
import type { ReplayOptions } from "./replay-options.ts";

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
  readonly #options: ReplayOptions;
  readonly #log: Log;
  readonly #loadPlayer: () => Promise<Player>;
  #player: Player | undefined;
  #hasRun = false;

  /**
   * @throws {@link InvalidOptionsError} for an unknown or mistyped option, {@link TypeError} for a
   *   moment before the start of the recording
   */
  constructor(server: FakeApiServer, recording: Recording, options: ReplayOptions = {}) {
    checkOptions(options, replayOptions);
    this.#server = server;
    this.#options = options;
    const log = guardLog(options.log ?? consoleLog);
    this.#log = log;
    const restorer = createRestorer(server);
    const begin = recording.moment(options.at ?? "+0s");
    this.#loadPlayer = loadOnce(async () => {
      const { Player: Loaded } = await import("./player.ts");
      this.#player = new Loaded({ restorer, recording, options, log, begin });
      return this.#player;
    });
  }

  /** Number of recorded changes that were left out so far. */
  get divergences(): number {
    return this.#player?.divergences ?? 0;
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
   * @throws {@link RecordingError} for an unusable line, such as one with an object that the server
   *   cannot store; {@link RangeError} for a moment after the last line
   */
  async load(): Promise<void> {
    const player = await this.#loadPlayer();
    await player.load();
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
    const player = await this.#loadPlayer();
    await player.run(signal);
  }
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
