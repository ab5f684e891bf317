import type { Clock } from "@listwatch/core-fifo/base";
import type { RequestInfo } from "../../input/request-info.ts";
import type { FaultAction } from "../../control/fault-action.ts";
import { legalFaults } from "../actions/fault-catalogue.ts";
import type { FaultTarget } from "../actions/fault.ts";
import type { StatusSubject } from "../inputs/status-fault.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import type { ControlledCore } from "./controlled-core.ts";

/** Collects what faults do to one request, and applies it to the answer. */
export class RequestFaults implements FaultTarget {
  readonly subject: StatusSubject;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: () => number;
  readonly #core: ControlledCore;
  #headers: Readonly<Record<string, string>> = {};
  #makeAnswer: (() => Response) | undefined;
  readonly #bodyFaults: ((body: ControlledStream) => void)[] = [];

  constructor(core: ControlledCore, info: RequestInfo) {
    this.#core = core;
    this.subject = info;
    this.signal = info.request.signal;
    this.clock = core.clock;
    this.random = () => core.random();
  }

  /** Makes the answer after the server has acted; undefined leaves the server's. */
  get makeAnswer(): (() => Response) | undefined {
    return this.#makeAnswer;
  }

  /** True if a fault acts on the body of the answer. */
  get changesBody(): boolean {
    return this.#bodyFaults.length > 0;
  }

  /** Carries out the actions in turn. Returns the answer, if one of them makes it. */
  async apply(actions: readonly FaultAction[]): Promise<Response | undefined> {
    let answer: Response | undefined;
    for (const action of actions) answer = (await legalFaults.apply(action, this)) ?? answer;
    return answer;
  }

  applyToHeaders(headers: Headers): void {
    for (const [name, value] of Object.entries(this.#headers)) headers.set(name, value);
  }

  applyToBody(body: ControlledStream): void {
    for (const act of this.#bodyFaults) act(body);
  }

  compactHistory(): void {
    this.#core.compact(this.#core.advanceRevision(), { watches: false });
  }

  setHeaders(headers: Readonly<Record<string, string>>): void {
    this.#headers = { ...this.#headers, ...headers };
  }

  replaceAnswer(makeAnswer: () => Response): void {
    this.#makeAnswer = makeAnswer;
  }

  onBody(act: (body: ControlledStream) => void): void {
    this.#bodyFaults.push(act);
  }
}
