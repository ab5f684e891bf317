import type { RequestInfo } from "../../input/request-info.ts";
import { applyBodyAction } from "../body-fault.ts";
import { ConnectionResetError } from "../stream/connection-reset-error.ts";
import type { CacheView, Exchange, WatchListMode } from "./control-hooks.ts";
import type { ControlState } from "./control-state.ts";
import { ControlledStream } from "../stream/controlled-stream.ts";
import type { AnswerAction, BodyAction, FaultAction, LostAnswerAction } from "../fault-action.ts";
import { illegalFilter } from "../illegal-filters.ts";
import type { FrontEnd } from "./front-end.ts";
import type { RequestRecord } from "./request-recorder.ts";
import { statusResponse } from "../inputs/status-fault.ts";
import { WatchControl } from "./watch-control.ts";
import type { WatchPort, WatchRegistration } from "./watch-port.ts";

/** One request on its way through the server control. */
export class ControlExchange implements Exchange {
  readonly #state: ControlState;
  readonly #info: RequestInfo;
  readonly #record: RequestRecord;
  readonly #frontEnd: FrontEnd;
  #bodyFaults: BodyAction[] = [];
  #lostAnswer: LostAnswerAction | undefined;
  #headers: Readonly<Record<string, string>> = {};
  #watch: WatchPort | undefined;
  #watchHasClosed = false;
  #stream: ControlledStream | undefined;

  constructor(state: ControlState, info: RequestInfo) {
    this.#state = state;
    this.#info = info;
    this.#record = state.recorder.begin(info, state.core.clock.now());
    this.#frontEnd = state.frontEnds.for(this.#record);
    state.requestsInFlight++;
  }

  get cacheView(): CacheView | undefined {
    return this.#frontEnd.view(resourceKey(this.#info), this.#state.settings.staleReads);
  }

  get watchList(): WatchListMode {
    return this.#state.settings.watchList;
  }

  get bookmarkIntervalMs(): number | undefined {
    return this.#state.bookmarks.settings.everyMs;
  }

  intercept(): Promise<Response | undefined> | undefined {
    const outage = this.#state.outages.answer(this.#record);
    if (outage !== undefined) return Promise.resolve(this.#finish(outage));
    if (this.#state.faults.isEmpty) return undefined;
    try {
      const actions = this.#state.faults.take(this.#record, decidesAnswer);
      return actions.length === 0 ? undefined : this.#run(actions);
    } catch (error) {
      // A condition of the test's own has thrown: no answer will come.
      this.#ended();
      throw error;
    }
  }

  bodyRead(text: string): void {
    this.#state.recorder.bodyRead(this.#record, text);
  }

  watchOpened(port: WatchPort): WatchRegistration {
    this.#watch = port;
    return {
      closed: () => {
        this.#watchHasClosed = true;
        this.#stream?.sourceClosed();
        this.#state.barriers.check();
      },
    };
  }

  respond(response: Response): Response | Promise<Response> {
    if (this.#lostAnswer !== undefined) return this.#loseAnswer(this.#lostAnswer, response);
    return this.#finish(response);
  }

  abandoned(): void {
    this.#ended();
  }

  async #run(actions: readonly FaultAction[]): Promise<Response | undefined> {
    let answer: Response | undefined;
    try {
      for (const action of actions) answer = (await this.#act(action)) ?? answer;
    } catch (error) {
      this.#ended();
      throw error;
    }
    return answer === undefined ? undefined : this.#finish(answer);
  }

  async #act(action: FaultAction): Promise<Response | undefined> {
    const { core } = this.#state;
    if (isAnswer(action)) return this.#answer(action);
    if (action.type === "latency") await this.#wait(this.#latency(action.ms));
    else if (action.type === "compact") core.compact(core.advanceRevision(), { watches: false });
    else if (action.type === "headers") this.#headers = { ...this.#headers, ...action.set };
    else if (action.type === "commitThenFail") this.#lostAnswer = action;
    else this.#bodyFaults.push(action);
    return undefined;
  }

  #latency(ms: number | readonly [number, number]): number {
    if (typeof ms === "number") return ms;
    const [least, most] = ms;
    return least + this.#state.core.random() * (most - least);
  }

  #answer(action: AnswerAction): Response | Promise<Response> {
    if (action.type === "status") return statusResponse(action.status, this.#info);
    if (action.type === "blackhole") return this.#untilAborted();
    if (action.type === "reset") throw new ConnectionResetError();
    const body = action.body ?? "";
    const type = body.startsWith("<") ? "text/html" : "text/plain; charset=utf-8";
    const headers = { ...(body === "" ? {} : { "Content-Type": type }), ...action.headers };
    return new Response(body === "" ? null : body, { status: action.status, headers });
  }

  /** The server has acted; the client does not learn it. */
  async #loseAnswer(action: LostAnswerAction, response: Response): Promise<Response> {
    await response.body?.cancel();
    const instead = action.with ?? "reset";
    if (instead !== "reset") return this.#finish(statusResponse(instead, this.#info));
    this.#ended();
    throw new ConnectionResetError();
  }

  #control(body: ReadableStream<Uint8Array>): ControlledStream {
    const state = this.#state;
    const port = this.#watch;
    const id = port === undefined ? undefined : state.watches.nextId();
    const { signal } = this.#info.request;
    const abort = (): void => stream.fail(signal.reason);
    const stream = new ControlledStream(body, state.core.clock, {
      progressed: () => state.barriers.check(),
      ended: () => {
        signal.removeEventListener("abort", abort);
        if (id !== undefined) state.watches.remove(id);
        state.barriers.check();
      },
    });
    signal.addEventListener("abort", abort);
    if (port !== undefined && id !== undefined) {
      this.#record.watchId = id;
      for (const action of state.illegal.take(this.#record)) {
        stream.addFilter(illegalFilter(action));
      }
      const watch = new WatchControl(id, this.#record, port, stream);
      state.watches.add({ watch, stream, frontEnd: this.#frontEnd }, state.bookmarks);
    }
    // Last: some of them end the stream at once, and then everything must be there to be undone.
    for (const fault of this.#bodyFaults) applyBodyAction(stream, fault, state.core.clock);
    this.#stream = stream;
    if (this.#watchHasClosed) stream.sourceClosed();
    return stream;
  }

  #finish(response: Response): Response {
    try {
      const { body } = response;
      const isControlled = this.#watch !== undefined || this.#bodyFaults.length > 0;
      const answer =
        isControlled && body !== null
          ? new Response(this.#control(body).readable, response)
          : response;
      for (const [name, value] of Object.entries(this.#headers)) answer.headers.set(name, value);
      this.#record.status = response.status;
      return answer;
    } finally {
      this.#ended();
    }
  }

  #ended(): void {
    this.#state.requestsInFlight--;
    this.#state.barriers.check();
  }

  async #wait(ms: number): Promise<void> {
    const { signal } = this.#info.request;
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = this.#state.core.clock.setTimeout(resolve, ms);
    const abort = (): void => {
      timer.cancel();
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort);
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #untilAborted(): Promise<never> {
    const { signal } = this.#info.request;
    const { promise, reject } = Promise.withResolvers<never>();
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    return promise;
  }
}

function isAnswer(action: FaultAction): action is AnswerAction {
  return (
    action.type === "status" ||
    action.type === "respond" ||
    action.type === "reset" ||
    action.type === "blackhole"
  );
}

const endings: ReadonlySet<FaultAction["type"]> = new Set([
  "commitThenFail",
  "end",
  "resetBody",
  "truncate",
  "stall",
  "errorEvent",
]);

/** True for actions that decide how the answer ends. */
function decidesAnswer(action: FaultAction): boolean {
  return isAnswer(action) || endings.has(action.type);
}

function resourceKey(info: RequestInfo): string {
  return info.group === "" ? info.resource : `${info.resource}.${info.group}`;
}
