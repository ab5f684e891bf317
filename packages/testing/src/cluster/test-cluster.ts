import {
  createClient,
  createConnection,
  type Client,
  type Connection,
  type ResourceReference,
} from "@listwatch/client";
import type { KubernetesObject, Log, Random } from "@listwatch/core-fifo";
import { checkOptions, describeError, recordOf } from "@listwatch/core-fifo/base";
import { seededRandom, SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer, readRecording, Replay, type Recording } from "@listwatch/fake-apiserver";
import { createManager, type Manager, type ManagerOptions } from "@listwatch/manager";
import { ClusterMirror } from "../simulation/cluster-mirror.ts";
import { ProcessClock } from "../simulation/process-clock.ts";
import type { ClusterState } from "../simulation/scenario.ts";
import { actAs, namespaceOf, optionsFor } from "../rights/account.ts";
import { prepareRecording, recordRights } from "../rights/used-right.ts";
import { ConditionNotMetError, LeftRunningError, MissingRightError } from "./errors.ts";
import { evaluate, holds, ObservedState } from "./observed-state.ts";
import { OpenRequests } from "./open-requests.ts";
import {
  isReal,
  optionTable,
  realTable,
  untilTable,
  type ClusterOptions,
  type FakeClusterOptions,
  type RealClusterOptions,
  type UntilMetOptions,
} from "./test-cluster-options.ts";
import { readLines } from "./read-lines.ts";
import type { RealTestCluster } from "./real-test-cluster.ts";
import { createTestLog, type TestLogLine } from "./test-log.ts";

/** The start of a usual run: a Thursday, at midnight. */
const defaultStartMs = Date.UTC(2026, 0, 1);
/**
 * Simulated time that the program has for its end, in milliseconds: a pod's grace and as much
 * again.
 */
const endMs = 60_000;

/** Work that was started with {@link TestCluster.run}. */
interface Running {
  readonly name: string;
  hasEnded: boolean;
}

/**
 * A cluster in a test: a fake API server, a connection to it, and a clock that only moves when the
 * test says so. Create it with {@link testCluster}.
 */
export class TestCluster implements ClusterState, AsyncDisposable {
  /** The API server, with its control for faults. */
  readonly server: FakeApiServer;
  /** The clock of the cluster and the program. Pass it to everything that takes a clock. */
  readonly clock: SimulatedClock;
  /** Connection of the program under test. */
  readonly connection: Connection;
  /** Client of the test itself. */
  readonly client: Client;
  /** Random numbers from the seed. Pass them to everything that takes random numbers. */
  readonly random: Random;
  /** Log that keeps its lines in {@link lines}, and prints nothing. */
  readonly log: Log;
  /** Lines of the log, oldest first. */
  readonly lines: readonly TestLogLine[];
  /** Aborted when the test ends. */
  readonly signal: AbortSignal;
  readonly #mirror: ClusterMirror;
  readonly #startMs: number;
  readonly #serverClock: ProcessClock;
  readonly #stop = new AbortController();
  readonly #running: Running[] = [];
  readonly #requests: OpenRequests;
  readonly #account: string | undefined;
  readonly #name: string;
  #failure: { readonly error: unknown } | undefined;
  #ending: Promise<void> | undefined;

  constructor(options: ClusterOptions, recording: Recording | undefined) {
    const { account, definitions = [], name = "a test", objects = [] } = options;
    const { seed = 1, startMs = defaultStartMs } = options;
    this.#account = account;
    this.#name = name;
    this.#startMs = startMs;
    this.clock = new SimulatedClock({ startMs });
    this.#serverClock = new ProcessClock(this.clock);
    this.server = new FakeApiServer({
      bootstrap: "namespaces",
      namespaces: "permissive",
      ...optionsFor(account),
      ...options.server,
      clock: this.#serverClock,
      seed,
      // The types of the fake are those of stored objects, which it checks itself.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      crds: [...definitions] as never,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      objects: [...objects] as never,
    });
    prepareRecording(this.server, account);
    this.#mirror = new ClusterMirror(this.server, () => this.nowMs);
    this.random = seededRandom(seed);
    this.connection = createConnection({
      server: "http://cluster",
      fetch: actAs(
        account,
        (request) => this.#requests.send(request),
        (message) => {
          this.#failure ??= { error: new MissingRightError(message) };
        },
      ),
      namespace: account && namespaceOf(account),
    });
    const own = createConnection({
      server: "http://cluster",
      fetch: (request) => this.server.fetch(request),
    });
    this.client = createClient(own, { clock: this.clock, random: this.random });
    ({ lines: this.lines, log: this.log } = createTestLog(this.clock));
    this.signal = this.#stop.signal;
    const replay = recording && new Replay(this.server, recording, { log: this.log });
    this.#requests = new OpenRequests(replay?.fetch ?? this.server.fetch);
    if (replay !== undefined) this.run("replay", (signal) => replay.run(signal));
  }

  /** Milliseconds since the start of the cluster. */
  get nowMs(): number {
    return this.clock.now() - this.#startMs;
  }

  /** Returns the objects of a resource that the server stores, in the order of their keys. */
  list<T extends KubernetesObject>(resource: ResourceReference<T>): readonly T[] {
    this.#mirror.update();
    return this.#mirror.list(resource);
  }

  /** Returns one stored object by `namespace/name`, or by `name` if it is in no namespace. */
  get<T extends KubernetesObject>(resource: ResourceReference<T>, key: string): T | undefined {
    this.#mirror.update();
    return this.#mirror.get(resource, key);
  }

  /**
   * Starts a part of the program, such as `(signal) => controller.run(signal)`. Its signal is
   * aborted when the test ends, and the test fails if it has not ended then. An error of it is
   * thrown by the next call of {@link advance}, {@link settle}, {@link until} or {@link stop}.
   *
   * @param name name of the part in errors
   */
  run(name: string, start: (signal: AbortSignal) => Promise<unknown>): void {
    const running = { name, hasEnded: false };
    this.#running.push(running);
    void this.#watchOver(start).finally(() => {
      running.hasEnded = true;
    });
  }

  async #watchOver(start: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    try {
      await start(this.signal);
    } catch (error) {
      // A part may end with the reason of its signal.
      if (this.signal.aborted && error === this.signal.reason) return;
      this.#failure ??= { error };
    }
  }

  /**
   * Creates a manager on this cluster, with its clock, random numbers and log, without signals and,
   * by default, without a server. It starts with `cluster.run(name, (signal) =>
   * manager.run(signal))`.
   */
  manager(options: ManagerOptions): Manager {
    const { clock, log, random } = this;
    return createManager(this.connection, {
      signals: false,
      server: false,
      clock,
      random,
      ...options,
      telemetry: { log, ...options.telemetry },
    });
  }

  /** Lets everything happen that needs no time to pass. */
  async settle(): Promise<void> {
    await this.clock.settle();
    this.#throwFailure();
  }

  /** Lets `ms` milliseconds of simulated time pass. */
  async advance(ms: number): Promise<void> {
    await this.clock.advance(ms);
    this.#throwFailure();
  }

  /**
   * Lets time pass, one timer after the other, until a condition holds.
   *
   * @param condition holds when it returns a value other than `false`, `undefined`, `null` and a
   *   string. A string describes why it does not hold yet. What it reads of its argument is part of
   *   the error
   * @returns the value of the condition
   * @throws {ConditionNotMetError} if it does not hold within the time, with what was last seen
   */
  async until<R>(
    condition: (state: ClusterState) => R | Promise<R>,
    options: UntilMetOptions = {},
  ): Promise<Exclude<Awaited<R>, false | null | string | undefined>> {
    checkOptions(options, untilTable);
    const { timeoutMs = 60_000 } = options;
    const deadlineMs = this.clock.now() + timeoutMs;
    await this.settle();
    for (;;) {
      const view = new ObservedState(this);
      const { error, value } = await evaluate(() => condition(view));
      // A condition that reads a field of an object that is missing does not hold yet.
      if (error === undefined && holds(value)) return value;
      const nextMs = this.clock.nextTimerMs;
      if (this.clock.now() >= deadlineMs) {
        const returned = error === undefined ? value : `it threw: ${describeError(error.thrown)}`;
        throw new ConditionNotMetError(timeoutMs / 1000, view.describe(returned), {
          cause: error?.thrown,
        });
      }
      const toMs = Math.min(nextMs ?? deadlineMs, deadlineMs);
      await this.advance(Math.max(0, toMs - this.clock.now()));
    }
  }

  /**
   * Ends the test: aborts the signal, and lets at most a minute pass until all parts have ended.
   *
   * @throws {LeftRunningError} if a part, a timer, a request or a watch of the program is left
   * @throws the error of a part that failed
   */
  stop(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    this.#stop.abort(new Error("The test has ended"));
    const deadlineMs = this.clock.now() + endMs;
    await this.clock.settle();
    while (this.#running.some(({ hasEnded }) => !hasEnded)) {
      const nextMs = this.clock.nextTimerMs;
      if (nextMs === undefined || nextMs > deadlineMs) break;
      await this.clock.advance(Math.max(0, nextMs - this.clock.now()));
    }
    recordRights(this.server, this.#account, this.#name);
    this.#throwFailure();
    const left = this.#left();
    if (left.length > 0) throw new LeftRunningError(left);
  }

  /** Ends the test, as {@link stop} does. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #left(): readonly string[] {
    const parts = this.#running.filter(({ hasEnded }) => !hasEnded).map(({ name }) => name);
    const timers = this.clock.pendingTimers - this.#serverClock.pendingTimers;
    const counted = timers === 0 ? [] : [timers === 1 ? "a timer" : `${timers} timers`];
    return [...parts.map((name) => `${name} running`), ...counted, ...this.#requests.descriptions];
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }
}

/**
 * Creates a cluster for one test: a fake API server and everything that a program needs to reach
 * it, on simulated time.
 *
 * ```ts
 * import { testCluster } from "@listwatch/testing";
 *
 * const maps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
 * await using cluster = await testCluster();
 * cluster.run("a program", async (signal) => {
 *   await cluster.client.resource(maps).create({ metadata: { namespace: "a", name: "made" } });
 * });
 * const made = await cluster.until((state) => state.get(maps, "a/made"));
 * console.log(made.metadata?.name);
 * ```
 *
 * It ends with `await using`, with {@link TestCluster.stop}, or in a fixture of a test runner. The
 * test fails if something of the program is left then.
 *
 * @throws {InvalidOptionsError} for an unknown or mistyped option, and an unusable object
 */
export function testCluster(options?: FakeClusterOptions): Promise<TestCluster>;
/**
 * Starts a real kube-apiserver and etcd for one test, from the folder that `KUBEBUILDER_ASSETS`
 * names, on Node, Deno and Bun. It takes seconds.
 *
 * @throws {InvalidOptionsError} for an option that needs the fake API server
 * @throws {UnsupportedError} without the programs, and on a runtime without processes
 */
export function testCluster(options: RealClusterOptions): Promise<RealTestCluster>;
export async function testCluster(
  options: FakeClusterOptions | RealClusterOptions = {},
): Promise<RealTestCluster | TestCluster> {
  if (isReal(options)) {
    checkOptions(options, realTable);
    const { startRealCluster } = await import("./real-test-cluster.ts");
    return startRealCluster(options);
  }
  checkOptions(options, optionTable);
  const { replay, ...others } = options;
  const lines = typeof replay === "string" ? readLines(replay) : replay;
  const cluster = new TestCluster(others, lines && (await readRecording(lines)));
  await cluster.settle();
  return cluster;
}

/**
 * Returns a test function for any runner: it creates a cluster, runs the test, and ends the
 * cluster. The runner may hand it its context, which has the name of the test.
 *
 * ```ts
 * import { withTestCluster } from "@listwatch/testing";
 *
 * const test = withTestCluster({ seed: 7 }, async (cluster) => {
 *   await cluster.advance(1000);
 *   console.assert(cluster.nowMs === 1000);
 * });
 * await test();
 * ```
 */
export function withTestCluster(
  options: FakeClusterOptions,
  test: (cluster: TestCluster) => Promise<unknown>,
): (context?: unknown) => Promise<void>;
/** The same with a real API server. */
export function withTestCluster(
  options: RealClusterOptions,
  test: (cluster: RealTestCluster) => Promise<unknown>,
): (context?: unknown) => Promise<void>;
export function withTestCluster(
  options: FakeClusterOptions | RealClusterOptions,
  test: (cluster: never) => Promise<unknown>,
): (context?: unknown) => Promise<void> {
  // Jest and Bun would wait for a callback if the function had a named parameter.
  return async (...[context]: readonly unknown[]) => {
    const cluster = isReal(options)
      ? await testCluster(options)
      : await testCluster({ name: nameOf(context), ...options });
    try {
      // Its type follows from that of the options.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      await test(cluster as never);
    } catch (error) {
      // The failure of the test comes first; its end may fail because of it.
      await cluster.stop().catch(() => {});
      throw error;
    }
    await cluster.stop();
  };
}

/** Returns the name of a test from the context of `node:test`, Deno or Vitest. */
function nameOf(context: unknown): string | undefined {
  const { name } = recordOf(context);
  const found = name ?? recordOf(recordOf(context)["task"])["name"];
  return typeof found === "string" ? found : undefined;
}
