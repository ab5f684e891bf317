import { createClient, observeConnection, type Client, type Connection } from "@listwatch/client";
import { EventRecorder, LeaderElector } from "@listwatch/controller";
import {
  AlreadyRunningError,
  InvalidOptionsError,
  systemClock,
  type Clock,
  type KubernetesObject,
  type Log,
  type Scope,
} from "@listwatch/core-fifo";
import { aFunction, checkOption, guardLog, provideDispose } from "@listwatch/core-fifo/base";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import { PrometheusRegistry } from "@listwatch/telemetry";
import {
  ControllerRecipe,
  type AnyRecipe,
  type ManagedController,
  type ManagedControllerOptions,
} from "../controllers/managed-controller.ts";
import { ManagedInformers } from "../informers/managed-informers.ts";
import { findProcess } from "../process/runtime.ts";
import { Checks, type Check } from "../server/checks.ts";
import { createDefaultLog } from "../telemetry/default-log.ts";
import { inspectController, inspectInformer, type ManagerInspection } from "./inspection.ts";
import { ManagerRun, type ManagerEnd } from "./manager-run.ts";
import { checkManagerOptions, type ManagerOptions, type ServedMetrics } from "./manager-options.ts";
import { checkRunnable, type Runnable } from "./runnable.ts";
import type { StartWebhooks } from "./served-webhooks.ts";

provideDispose();

/** The process of an operator, as created by {@link createManager}. */
export class Manager implements AsyncDisposable {
  /** Name of the program. */
  readonly name: string;
  /**
   * Client of the API server, with the clock of the manager. It also writes while this replica does
   * not lead, because some parts of a program need that. The client that a reconcile receives only
   * writes while it leads; `manager.elector?.guard(manager.client)` returns such a client for other
   * parts.
   */
  readonly client: Client;
  /** Informers of the API server, each created once and shared. */
  readonly informers: ManagedInformers;
  /** Elector of the leader; `undefined` without `election`. */
  readonly elector: LeaderElector | undefined;
  /** Clock of all parts. */
  readonly clock: Clock;
  /** Log of all parts. */
  readonly log: Log;
  readonly #options: ManagerOptions;
  readonly #metrics: ServedMetrics;
  readonly #controllers: AnyRecipe[] = [];
  readonly #runnables: Runnable[] = [];
  readonly #webhooks: StartWebhooks[] = [];
  readonly #live = new Checks();
  readonly #ready = new Checks();
  #recorder: EventRecorder | undefined;
  #run: ManagerRun | undefined;

  /** @throws {InvalidOptionsError} if the connection or an option cannot be used */
  constructor(given: Connection, options: ManagerOptions) {
    checkManagerOptions(given, options);
    const { client, clock = systemClock, informers, name, namespaces, random } = options;
    this.name = name;
    this.clock = clock;
    this.log = guardLog(options.telemetry?.log ?? createDefaultLog());
    this.#metrics = options.telemetry?.metrics ?? new PrometheusRegistry();
    const observed = { clock, metrics: this.#metrics, traces: options.telemetry?.traces };
    const connection = observeConnection(given, observed);
    this.client = createClient(connection, { ...client, clock, random });
    this.#options = options;
    this.informers = new ManagedInformers({
      manager: name,
      connection,
      namespaces,
      informers,
      clock,
      log: this.log,
      random,
      metrics: this.#metrics,
      traces: options.telemetry?.traces,
      onEnd: (informer, failure) => this.#run?.end(`the informer ${informer}`, failure),
    });
    this.elector = this.#createElector(connection);
  }

  /** Records events about objects; created when it is first used. */
  get recorder(): EventRecorder {
    if (this.#recorder === undefined) {
      const { env } = findProcess() ?? {};
      this.#recorder = new EventRecorder({
        client: this.client,
        controller: this.name,
        instance: env?.["HOSTNAME"] ?? this.name,
        log: this.log,
        clock: this.clock,
        random: this.#options.random,
      });
      this.#run?.startRecorder(this.#recorder);
    }
    return this.#recorder;
  }

  /** Whether this replica leads; true without `election`. */
  get isLeader(): boolean {
    return this.elector?.isLeader ?? true;
  }

  /**
   * Port on which the manager serves its probes; `undefined` while it does not. With the option 0
   * the port is known when a runnable runs.
   */
  get port(): number | undefined {
    return this.#run?.port;
  }

  /**
   * Adds a controller, which starts with the manager: its source is an informer of the manager, and
   * with `election` only the leader reconciles.
   *
   * @throws {InvalidOptionsError} if an option cannot be used, or another controller has the name
   * @throws {AlreadyRunningError} once the manager runs
   */
  controller<
    T extends KubernetesObject = never,
    I extends IndexValues = NoIndexes,
    S extends Scope = Scope,
  >(options: ManagedControllerOptions<T, I, S>): ManagedController<S> {
    this.#assertIdle();
    const recipe = new ControllerRecipe<T, I, S>(
      {
        informers: this.informers,
        client: this.client,
        clock: this.clock,
        log: this.log,
        metrics: this.#metrics,
        traces: this.#options.telemetry?.traces,
        stopTimeoutMs: this.#options.limits?.stopTimeoutMs ?? 20_000,
      },
      options,
    );
    this.#assertNew(recipe.name);
    this.#controllers.push(recipe);
    return recipe;
  }

  /**
   * Adds a server of webhooks, such as `() => serveWebhooks(handle, { certificates })` of
   * `@listwatch/webhooks/node`. Every replica serves from its start, before caches and election.
   * `/readyz` waits for the certificate. A stop closes the server at once, which then goes on for
   * its `shutdownDelayMs`.
   *
   * @throws {AlreadyRunningError} once the manager runs
   */
  webhooks(start: StartWebhooks): this {
    this.#assertIdle();
    checkOption("start", start, aFunction);
    this.#webhooks.push(start);
    return this;
  }

  /**
   * Adds work that the manager starts and stops.
   *
   * @throws {InvalidOptionsError} if it is not a runnable, or another one has its name
   * @throws {AlreadyRunningError} once the manager runs
   */
  add(runnable: Runnable): this {
    this.#assertIdle();
    checkRunnable(runnable);
    this.#assertNew(runnable.name);
    this.#runnables.push(runnable);
    return this;
  }

  /**
   * Adds a check to a probe: `live` decides whether the process is restarted, `ready` whether it
   * receives requests. A check of liveness must not depend on the API server.
   */
  addCheck(name: string, check: Check, probe: "live" | "ready" = "ready"): this {
    (probe === "live" ? this.#live : this.#ready).set(name, check);
    return this;
  }

  /**
   * Starts everything, works until `signal` or a signal of the process stops it, and stops
   * everything. The order of the start: probes, informers and their sync, runnables, election,
   * controllers and leader-only runnables. The order of the stop: `/readyz` fails, controllers end
   * their reconciles, leader-only runnables, the release of the lease, other runnables, informers,
   * events, probes.
   *
   * @returns how it ended
   * @throws {ManagerSyncError} if informers do not sync in time
   * @throws {LeadershipLostError} if leadership is lost; end the process then
   * @throws the first failure of a runnable, an informer or the program, after everything has
   *   stopped
   * @throws {AlreadyRunningError} if it was called before
   */
  run(signal?: AbortSignal): Promise<ManagerEnd> {
    this.#assertIdle();
    const { elector, informers, name } = this;
    const run = new ManagerRun({
      ...{ name, client: this.client, clock: this.clock, elector, informers, log: this.log },
      controllers: this.#controllers,
      inspect: () => this.inspect(),
      webhooks: this.#webhooks,
      live: this.#live,
      options: this.#options,
      ready: this.#ready,
      metrics: this.#metrics,
      runnables: this.#runnables,
    });
    this.#run = run;
    if (this.#recorder !== undefined) run.startRecorder(this.#recorder);
    return run.run(signal);
  }

  /** Returns the state of informers, queues and reconciles as plain data, without objects. */
  inspect(): ManagerInspection {
    return {
      name: this.name,
      asOfMs: this.clock.now(),
      isLeader: this.isLeader,
      informers: this.informers.all.map(inspectInformer),
      controllers: this.#controllers.map(inspectController),
    };
  }

  /** Stops the manager and waits until {@link Manager.run} ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#run?.stopAndWait();
  }

  #createElector(connection: Connection): LeaderElector | undefined {
    const { election = false, name, namespaces = [], random } = this.#options;
    if (election === false) return undefined;
    const namespace = election.namespace ?? namespaces[0] ?? connection.namespace;
    if (namespace === undefined) {
      throw new InvalidOptionsError(
        "Cannot hold an election: expected election.namespace, namespaces or a namespace of the connection, got none",
        "election.namespace",
      );
    }
    return new LeaderElector({
      client: this.client,
      lease: { namespace, name: election.name ?? name },
      identity: election.identity,
      limits: election.limits,
      onLost: election.onLost,
      recorder: this.recorder,
      telemetry: {
        log: this.log,
        metrics: this.#metrics,
        traces: this.#options.telemetry?.traces,
      },
      clock: this.clock,
      random,
      onNewLeader: (leader) => {
        // A released lease has no holder.
        if (leader !== "") this.log.info("Leader is elected", { leader });
      },
    });
  }

  #assertIdle(): void {
    if (this.#run !== undefined) throw new AlreadyRunningError(this.name);
  }

  #assertNew(name: string): void {
    if ([...this.#controllers, ...this.#runnables].some((each) => each.name === name)) {
      throw new InvalidOptionsError(
        `Cannot add ${name} to ${this.name}: expected a new name, got one that is in use`,
        "name",
      );
    }
  }
}

/**
 * Creates the process of an operator: one clock, log, client, set of informers, recorder and
 * elector for all its parts, probes and metrics over HTTP, and a start and a stop in order.
 *
 * ```ts
 * import { createConnection } from "@listwatch/client";
 * import { createManager } from "@listwatch/manager";
 *
 * const connection = createConnection({ server: "http://127.0.0.1:8001" });
 * const manager = createManager(connection, {
 *   name: "example",
 *   signals: false,
 *   server: false,
 * });
 * manager.controller({
 *   for: { group: "", version: "v1", resource: "configmaps" },
 *   reconcile: (key, { object }) =>
 *     console.log(key, object === undefined ? "is gone" : "exists"),
 * });
 * const { by } = await manager.run(AbortSignal.abort());
 * if (by !== "abort") throw new Error("unreachable");
 * ```
 *
 * @throws {InvalidOptionsError} if the connection or an option cannot be used
 */
export function createManager(connection: Connection, options: ManagerOptions): Manager {
  return new Manager(connection, options);
}
