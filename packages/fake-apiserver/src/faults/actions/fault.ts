import type { Clock } from "@listwatch/core-fifo/base";
import type { FaultAction, IllegalAction } from "../../control/fault-action.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import type { StatusSubject } from "../inputs/status-fault.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";

/**
 * One fault: how its action is read, checked and carried out.
 *
 * Methods, not properties with functions: a list of faults is also a list of faults of any action,
 * and each only gets actions of its type.
 */
export interface Fault<Action extends { readonly type: string }, Target, Effect> {
  readonly type: Action["type"];
  /**
   * True for a fault that decides how the answer ends. A request gets only one of such faults; the
   * next is there for the next request.
   */
  readonly endsAnswer?: boolean | undefined;
  /**
   * Reads the action from the JSON of a control endpoint, all but its type.
   *
   * @throws {@link ControlInputError} for a field of a wrong type
   */
  read(reader: JsonReader): Action;
  /** @throws {@link ControlInputError} for an action that cannot be carried out */
  check(action: Action): void;
  /** Carries the action out. */
  apply(action: Action, target: Target): Effect;
}

/** Faults of a real server, its storage, or a proxy in front of it, by the types of their actions. */
export type LegalFaults<Type extends FaultAction["type"] = FaultAction["type"]> = {
  readonly [Each in Type]: Fault<
    Extract<FaultAction, { readonly type: Each }>,
    FaultTarget,
    FaultEffect
  >;
};

/** Violations of the protocol on the stream of a watch, by the types of their actions. */
export type IllegalFaults = {
  readonly [Each in IllegalAction["type"]]: Fault<
    Extract<IllegalAction, { readonly type: Each }>,
    ControlledStream,
    void
  >;
};

/** The answer instead of the server's; undefined lets the server act. */
export type FaultEffect = Response | undefined | void | Promise<Response | undefined | void>;

/** The request that a fault takes, and what can be done to it. */
export interface FaultTarget {
  /** The object of the request, as far as its path names it. */
  readonly subject: StatusSubject;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Seeded, uniform in [0, 1). */
  readonly random: () => number;
  /** Forgets the history of the storage up to now; watches are spared. */
  compactHistory(): void;
  /** Sets headers of the answer. */
  setHeaders(headers: Readonly<Record<string, string>>): void;
  /** Lets the server act, and then answers with what `makeAnswer` returns or throws. */
  replaceAnswer(makeAnswer: () => Response): void;
  /** Calls back with the body of the answer, once there is one. */
  onBody(act: (body: ControlledStream) => void): void;
}
