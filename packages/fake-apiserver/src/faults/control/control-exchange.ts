import { onAborted } from "@listwatch/core-fifo/base";
import type { RequestInfo } from "../../input/request-info.ts";
import type { FaultAction } from "../../control/fault-action.ts";
import { illegalFaults } from "../actions/fault-catalogue.ts";
import { ControlledStream } from "../stream/controlled-stream.ts";
import { bodySource, type EventSource } from "../stream/watch-event.ts";
import type { WatchListMode } from "../../control/server-control.ts";
import type { CacheView, Exchange, WatchSource } from "./control-hooks.ts";
import type { ControlState } from "./control-state.ts";
import type { FrontEndCaches } from "./front-end-caches.ts";
import { RequestFaults } from "./request-faults.ts";
import type { RequestRecord } from "./request-log.ts";
import { ControlledWatch } from "./controlled-watch.ts";

/** The settings of the server control that one request looks at. */
interface ExchangeSettings {
  readonly watchList: WatchListMode;
}

/** One request, followed through the server control. */
export class ControlExchange implements Exchange {
  readonly #state: ControlState;
  readonly #settings: ExchangeSettings;
  readonly #info: RequestInfo;
  readonly #record: RequestRecord;
  readonly #frontEnd: FrontEndCaches;
  readonly #faults: RequestFaults;
  // The body of the answer is that of a watch, with its faults.
  #isWatch = false;

  constructor(state: ControlState, settings: ExchangeSettings, info: RequestInfo) {
    this.#state = state;
    this.#settings = settings;
    this.#info = info;
    this.#record = state.recorder.begin(info, state.core.clock.now());
    this.#frontEnd = state.frontEnds.for(this.#record);
    this.#faults = new RequestFaults(state.core, info);
    state.barriers.requestBegan();
  }

  get cacheView(): CacheView | undefined {
    return this.#frontEnd.view(resourceKey(this.#info), this.#state.illegal.staleReads);
  }

  get watchList(): WatchListMode {
    return this.#settings.watchList;
  }

  get bookmarkIntervalMs(): number | undefined {
    return this.#state.bookmarks.settings.everyMs;
  }

  intercept(): Promise<Response | undefined> | undefined {
    const outage = this.#state.outages.answer(this.#record);
    if (outage !== undefined) return Promise.resolve(this.#finish(outage));
    if (this.#state.faults.isEmpty) return undefined;
    try {
      const actions = this.#state.faults.take(this.#record);
      return actions.length === 0 ? undefined : this.#apply(actions);
    } catch (error) {
      // The condition of a test's rule has thrown: no answer will come.
      this.abandoned();
      throw error;
    }
  }

  bodyRead(text: string): void {
    this.#state.recorder.bodyRead(this.#record, text);
  }

  watchOpened(source: WatchSource): ReadableStream<Uint8Array> | null {
    if (this.#faults.makeAnswer !== undefined) {
      source.cancel();
      return null;
    }
    this.#isWatch = true;
    const { barriers, bookmarks, illegal, recorder, watches } = this.#state;
    const id = watches.nextId();
    recorder.watchOpened(this.#record, id);
    const stream = this.#control(source, () => watches.remove(id));
    for (const action of illegal.faults.take(this.#record)) illegalFaults.apply(action, stream);
    const watch = new ControlledWatch(id, this.#record, source, stream);
    watches.add({ watch, source, stream, frontEnd: this.#frontEnd }, bookmarks);
    source.onClose(() => {
      stream.sourceClosed();
      barriers.check();
    });
    // Last: some faults end the stream at once, and then everything must be there to be undone.
    this.#faults.applyToBody(stream);
    return stream.readable;
  }

  respond(response: Response): Response | Promise<Response> {
    const { makeAnswer } = this.#faults;
    return makeAnswer === undefined ? this.#finish(response) : this.#replace(response, makeAnswer);
  }

  abandoned(): void {
    this.#state.barriers.requestEnded();
  }

  async #apply(actions: readonly FaultAction[]): Promise<Response | undefined> {
    let answer: Response | undefined;
    try {
      answer = await this.#faults.apply(actions);
    } catch (error) {
      this.abandoned();
      throw error;
    }
    return answer === undefined ? undefined : this.#finish(answer);
  }

  /** The server has acted; the client gets another answer. */
  async #replace(response: Response, makeAnswer: () => Response): Promise<Response> {
    await response.body?.cancel();
    let answer: Response;
    try {
      answer = makeAnswer();
    } catch (error) {
      this.abandoned();
      throw error;
    }
    return this.#finish(answer);
  }

  #finish(response: Response): Response {
    try {
      const { body } = response;
      const isFaulty = this.#faults.changesBody && !this.#isWatch && body !== null;
      const isText = !(response.headers.get("content-type") ?? "").includes("protobuf");
      const answer = isFaulty ? new Response(this.#faultyBody(body, isText), response) : response;
      this.#faults.applyToHeaders(answer.headers);
      this.#state.recorder.answered(this.#record, response.status);
      return answer;
    } finally {
      this.abandoned();
    }
  }

  #faultyBody(body: ReadableStream<Uint8Array>, isText: boolean): ReadableStream<Uint8Array> {
    const stream = this.#control(bodySource(body, isText));
    this.#faults.applyToBody(stream);
    return stream.readable;
  }

  #control(source: EventSource, onEnd?: () => void): ControlledStream {
    const { barriers, core } = this.#state;
    const { signal } = this.#info.request;
    let release = (): void => undefined;
    const stream = new ControlledStream(source, core.clock, {
      progressed: () => barriers.check(),
      ended: () => {
        release();
        onEnd?.();
        barriers.check();
      },
    });
    // A signal that is aborted by now has been, or will be, seen by the source.
    if (!signal.aborted) release = onAborted(signal, () => stream.fail(signal.reason));
    return stream;
  }
}

function resourceKey(info: RequestInfo): string {
  return info.group === "" ? info.resource : `${info.resource}.${info.group}`;
}
