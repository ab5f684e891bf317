import type { Client, Connection } from "@listwatch/client";
import type { Clock, KubernetesObject, Log, Random } from "@listwatch/core-fifo";
import type { ResourceReference } from "@listwatch/client";

/** One life of a process of the program: from its start to its end, or until it is killed. */
export interface Life {
  /** Name of the process: `replica-0`, `replica-1`, … It stays the same after a restart. */
  readonly identity: string;
  /** Number of this life of the process, from 0. */
  readonly number: number;
  /** Connection to the cluster. A life that was killed gets no answer any more. */
  readonly connection: Connection;
  /** Clock of the process, whose timers are late after a pause. */
  readonly clock: Clock;
  /** Random numbers of the process. */
  readonly random: Random;
  /** Log of the process: its lines appear in the timeline of a failure. */
  readonly log: Log;
  /** Aborted when the process is asked to end, as by SIGTERM. */
  readonly signal: AbortSignal;
}

/** The objects of the cluster, as of now. They are frozen. */
export interface ClusterState {
  /** Milliseconds since the start of the run. */
  readonly nowMs: number;
  /** Returns the objects of a resource, in the order of their keys. */
  list<T extends KubernetesObject>(resource: ResourceReference<T>): readonly T[];
  /** Returns one object by `namespace/name`, or by `name` if it is in no namespace. */
  get<T extends KubernetesObject>(resource: ResourceReference<T>, key: string): T | undefined;
}

/** Help for an action of a user. */
export interface ActionContext {
  /** Client of the user, whose requests have no faults. */
  readonly client: Client;
  /** The objects of the cluster. */
  readonly state: ClusterState;
  /** Random numbers of this action. */
  readonly random: Random;
  /** Clock of the cluster. */
  readonly clock: Clock;
}

/**
 * A check of the cluster. It returns `true` if the condition holds, `false` or `undefined` if not;
 * a string says what was found, and means that a `never` holds or an `eventually` does not yet.
 * Other results, such as a promise, and errors fail the simulation.
 */
export type StateCheck = (state: ClusterState) => boolean | string | undefined;

/** A scenario whose program is loaded. */
export type LoadedScenario = Omit<Scenario, "start"> & {
  readonly start: (life: Life) => Promise<unknown>;
};

/** A program, the world around it, and what must be true of both. */
export interface Scenario {
  /** Name in messages. */
  readonly name: string;
  /**
   * Service account of the program, as `NAMESPACE/NAME`. The roles among `objects` then decide
   * which of its requests are served. A request that they do not allow breaks an invariant such as
   * `rights: get pods`, also if the program continues. `listwatch rbac` writes these roles.
   *
   * @default none: every request is the administrator's
   */
  readonly account?: string | undefined;
  /** CustomResourceDefinitions of the cluster. @default none */
  readonly definitions?: readonly object[] | undefined;
  /** Objects of the cluster before the program starts. @default none */
  readonly objects?: readonly object[] | undefined;
  /**
   * Runs the program until `life.signal` is aborted. It is called for the start of each process,
   * and after each restart. If the promise settles before, or an error is caught by nothing, the
   * process is started again after 10 s. A process that still crashes long after the last fault
   * breaks the invariant `crash`. Variables of modules survive a restart here, unlike in a cluster,
   * unless `start` is the URL of a module and the simulation has the option `isolate`. Such a
   * module exports the function as `start` or as its default.
   */
  readonly start: ((life: Life) => Promise<unknown>) | URL;
  /**
   * Answers the calls of webhooks that the objects of the scenario register, with an
   * AdmissionReview or a ConversionReview. It is called with the request of the server, whatever
   * its host.
   *
   * @default calls of webhooks end the run with an `EscapeError`
   */
  readonly webhook?: ((request: Request) => Response | Promise<Response>) | undefined;
  /** Number of processes. @default 1 */
  readonly replicas?: number | undefined;
  /**
   * Actions of users, by name. Each run has 3 to 12 of them, at random times. One that the server
   * refuses has no further effect; any other error fails the simulation.
   *
   * @default none
   */
  readonly actions?:
    | Readonly<Record<string, (context: ActionContext) => Promise<unknown>>>
    | undefined;
  /**
   * Conditions that must never hold; checked at the start, after every write, and at the end.
   *
   * @default none
   */
  readonly never?: Readonly<Record<string, StateCheck>> | undefined;
  /** Conditions that must hold some time after the last fault, and then stay. @default none */
  readonly eventually?: Readonly<Record<string, StateCheck>> | undefined;
}
