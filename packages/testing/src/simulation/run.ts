import { ListwatchError, type Clock } from "@listwatch/core-fifo";
import { onAborted } from "@listwatch/core-fifo/base";
import { seededRandom, SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { optionsFor } from "../rights/account.ts";
import { prepareRecording, recordRights } from "../rights/used-right.ts";
import type { MetFault, RunCoverage, SeenRequests } from "./coverage.ts";
import { ClusterMirror } from "./cluster-mirror.ts";
import { brokenCondition, crashOf } from "./conditions.ts";
import type { Call } from "../plan/call.ts";
import { draw, hashText } from "../plan/draw.ts";
import { FaultPlan } from "../plan/fault-plan.ts";
import { passTime } from "../plan/pass-time.ts";
import type { Violation } from "../plan/shrink.ts";
import { Trace, type TraceEntry } from "../plan/trace.ts";
import { replaceGlobals } from "./globals.ts";
import type { FaultyCall, NetworkWorld } from "./network.ts";
import { SimulatedProcess } from "./process.ts";
import { maxSteps } from "./process-clock.ts";
import type { LoadedScenario } from "./scenario.ts";
import type { Fault, FaultRates, Story, StoryAction, StoryFault, StoryUpset } from "./story.ts";
import { takeUncaught } from "./uncaught.ts";
import { runAction } from "./user.ts";
import { createWebhookCalls, refuseWebhook } from "./webhooks.ts";

/** Durations of a run, in milliseconds of simulated time. */
export interface RunTimes {
  /** Time with faults and actions. */
  readonly chaosMs: number;
  /** Longest time after it until all conditions of `eventually` hold. */
  readonly convergeMs: number;
  /** Time after that in which the program must write nothing. */
  readonly quietMs: number;
}

/** How a run went. */
export interface RunResult extends RunCoverage {
  readonly violation: Violation | undefined;
  /** Whether the program has sent a request. */
  readonly hasSent: boolean;
  /** The faults that met a request. */
  readonly faults: readonly StoryFault[];
  readonly entries: readonly TraceEntry[];
  readonly digest: string;
}

/** Simulated time at which each run begins: a Thursday, at midnight. */
const startMs = Date.UTC(2026, 0, 1);
/**
 * resourceVersions of the first state, in turn by seed. Numbers are exact up to one above the
 * first, and the other soon gets a further digit: so programs are found that compare
 * resourceVersions as numbers, or as strings.
 */
const firstVersions = [9_007_199_254_740_990n, 9_999_999_999_999_990n] as const;
const stopMs = 60_000;
/** Number of writes without an action or upset from which a program counts as never quiet. */
const maxWrites = 500;

/** Runs a scenario once, as a story says. */
export async function runStory(
  scenario: LoadedScenario,
  story: Story,
  rates: FaultRates,
  times: RunTimes,
): Promise<RunResult> {
  if (isUnderWay) {
    throw new ListwatchError("LW_SIMULATION_RUNS", "Cannot run two simulations at the same time", {
      advice: "Await the first one, and run test files with simulations in processes of their own",
    });
  }
  isUnderWay = true;
  try {
    return await playAlone(new Run(scenario, story, rates), scenario, times);
  } finally {
    isUnderWay = false;
  }
}

/** Runs replace globals of the process, which two at the same time would mix up. */
let isUnderWay = false;

async function playAlone(
  run: Run,
  { account, name }: LoadedScenario,
  times: RunTimes,
): Promise<RunResult> {
  const leaveUncaught = takeUncaught((error) => run.noteUncaught(error));
  const restore = replaceGlobals({
    clock: run.clock,
    seed: run.story.seed,
    timers: () => run.timers,
    onEscape: (error) => run.fail(error),
  });
  try {
    const violation = await run.play(times);
    const { hasSent, met, others, plan, requests, trace } = run;
    const { digest, entries } = trace;
    return { violation, faults: plan.met, hasSent, met, others, requests, entries, digest };
  } finally {
    restore();
    leaveUncaught();
    recordRights(run.server, account, name);
  }
}

class Run implements NetworkWorld {
  readonly clock = new SimulatedClock({ startMs });
  readonly trace = new Trace(() => this.elapsedMs);
  readonly server: FakeApiServer;
  readonly story: Story;
  readonly plan: FaultPlan<Fault>;
  readonly met: MetFault[] = [];
  readonly others: string[] = [];
  readonly requests = new Map<string, SeenRequests>();
  hasSent = false;
  readonly #faultsEnd = new AbortController();
  readonly #scenario: LoadedScenario;
  readonly #rates: FaultRates;
  readonly #processes: readonly SimulatedProcess[];
  readonly #mirror: ClusterMirror;
  #failure: { readonly error: unknown } | undefined;
  /** The first condition that was broken at a write, by a crash or by an error of the scenario. */
  #broken: Violation | undefined;
  #refusal: Violation | undefined;
  /** The newest crash of each process since the faults have ended. */
  readonly #crashes = new Map<string, Violation>();
  /** Whether the program has had the time to recover from all faults. */
  #mustNotCrash = false;
  #writes: string[] = [];
  #writesSince = 0;

  constructor(scenario: LoadedScenario, story: Story, rates: FaultRates) {
    this.#scenario = scenario;
    this.story = story;
    this.#rates = rates;
    this.plan = new FaultPlan(story.seed, story.faults);
    this.server = new FakeApiServer({
      clock: this.clock,
      seed: story.seed,
      // The types of the fake are those of stored objects, which it checks itself.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      crds: (scenario.definitions ?? []) as never,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      objects: objectsOf(scenario, story) as never,
      bootstrap: "namespaces",
      namespaces: "permissive",
      firstVersion: firstVersions[story.seed % 2 === 0 ? 0 : 1],
      webhooks: { fetch: createWebhookCalls(this, scenario.webhook ?? refuseWebhook(this)) },
      ...optionsFor(scenario.account),
    });
    prepareRecording(this.server, scenario.account);
    this.#mirror = new ClusterMirror(
      this.server,
      () => this.elapsedMs,
      () => this.#checkNever(),
    );
    this.#processes = Array.from(
      { length: scenario.replicas ?? 1 },
      (_, replica) => new SimulatedProcess(this, scenario, replica),
    );
  }

  get faultsEnd(): AbortSignal {
    return this.#faultsEnd.signal;
  }

  get elapsedMs(): number {
    return this.clock.now() - startMs;
  }

  /**
   * Clock of timers that are started with global functions: the process's, if there is one alone.
   * Nothing shows which of several processes calls such a function.
   */
  get timers(): Clock {
    const [only, ...others] = this.#processes;
    return (others.length === 0 ? only?.clock : undefined) ?? this.clock;
  }

  faultFor(request: string, call: FaultyCall): Fault | undefined {
    const { faults, kind } = call;
    this.hasSent = true;
    const { count = 0 } = this.requests.get(kind) ?? {};
    const { focus } = this.story;
    const wanted = focus?.kind === kind && focus.skip === count ? focus.fault : undefined;
    const fault = this.plan.faultFor(request, this.#rates[faults], wanted);
    if (!this.plan.isOver) this.requests.set(kind, { faults, count: count + 1 });
    if (fault !== undefined) this.met.push({ ...call, fault });
    return fault;
  }

  noteReordered(kind: string): void {
    this.others.push(`reordered ${kind}`);
  }

  noteCrash(who: string, error: unknown): void {
    const crash = crashOf(who, error);
    if (this.plan.isOver) this.#crashes.set(who, crash);
    if (this.#mustNotCrash) this.#break(crash);
  }

  /** Nothing shows which of several processes has thrown an error that nothing catches. */
  noteUncaught(error: unknown): void {
    const [only, ...others] = this.#processes;
    if (others.length === 0) only?.crash(error);
    else this.#break(crashOf("one of the processes", error));
  }

  noteStuck(who: string): void {
    const found = `${who} starts ${maxSteps} timers and turns, and lets no time pass`;
    this.#break({ invariant: "stuck", found });
  }

  noteRefusal(who: string, message: string): void {
    // With the right, since a story without the roles is refused something else.
    const [, verb = "", resource = ""] = /cannot (\w+) resource "([^"]+)"/.exec(message) ?? [];
    const invariant = `rights: ${verb} ${resource}`.trim();
    this.#refusal ??= { invariant, found: `${who}: ${message}` };
  }

  noteWrite(who: string, { text }: Call, status: number): void {
    this.#writes.push(`${who} ${text} (${status})`);
    this.#writesSince += 1;
  }

  compact(): void {
    // The server forgets what the mirror has not seen.
    this.#mirror.update();
    this.server.control.compact({ watches: true });
  }

  async play(times: RunTimes): Promise<Violation | undefined> {
    this.#checkNever();
    for (const process of this.#processes) process.start();
    for (const action of this.story.actions) this.#at(action.atMs, () => this.#act(action));
    for (const upset of this.story.upsets) this.#at(upset.atMs, () => this.#upset(upset));
    const violation =
      (await this.#advance(times.chaosMs)) ??
      (await this.#converge(times.convergeMs)) ??
      (await this.#stayQuiet(times.quietMs)) ??
      (await this.#end()) ??
      this.#refusal;
    // The program may have ended with a call that cannot be simulated.
    if (this.#failure !== undefined) throw this.#failure.error;
    if (violation !== undefined) {
      this.trace.add("cluster", `${violation.invariant}: ${violation.found}`);
    }
    return violation;
  }

  /** Ends the run with an error that is none of the program. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  #break(violation: Violation): void {
    this.#broken ??= violation;
  }

  #at(atMs: number, callback: () => void): void {
    this.clock.setTimeout(callback, atMs - this.elapsedMs);
  }

  /** Lets time pass, one timer at a time, until something is wrong. */
  async #advance(ms: number, until?: () => boolean): Promise<Violation | undefined> {
    const check = (): Violation | "done" | undefined =>
      this.#check() ?? (until?.() === true ? "done" : undefined);
    try {
      const found = await passTime(this.clock, ms, check);
      return found === "done" ? undefined : (found ?? this.#failed("never"));
    } catch (error) {
      if (error === this.#failure?.error) throw error;
      // A timer of a user's action, or one of the runtime with several processes.
      return crashOf("a timer", error);
    }
  }

  #check(): Violation | undefined {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#refusal !== undefined) return this.#refusal;
    if (this.#writesSince > maxWrites)
      return this.#notQuiet(`${this.#writesSince} writes since anything happened`);
    this.#mirror.update();
    return this.#broken;
  }

  #checkNever(): void {
    this.#broken ??= this.#failed("never");
  }

  #failed(kind: "eventually" | "never"): Violation | undefined {
    return brokenCondition(this.#scenario, kind, this.#mirror);
  }

  async #converge(ms: number): Promise<Violation | undefined> {
    this.plan.end();
    this.trace.add("world", "has no more faults");
    for (const process of this.#processes) process.goOn();
    this.#faultsEnd.abort();
    const areMet = (): boolean => this.#failed("eventually") === undefined;
    return (await this.#advance(ms, areMet)) ?? this.#notMet();
  }

  /** A condition that does not hold, or the crash that explains it. */
  #notMet(): Violation | undefined {
    const failed = this.#failed("eventually");
    return failed && (this.#down() ?? failed);
  }

  /** Returns the crash of a process that has not started again since. */
  #down(): Violation | undefined {
    const down = this.#processes.find(({ isRunning }) => !isRunning);
    return down && this.#crashes.get(down.identity);
  }

  /** Work that is left may take some writes; after that there must be none. */
  async #stayQuiet(ms: number): Promise<Violation | undefined> {
    const settling = await this.#advance(ms);
    if (settling !== undefined) return settling;
    this.#writes = [];
    this.#mustNotCrash = true;
    const violation = (await this.#advance(ms)) ?? this.#failed("eventually");
    if (violation !== undefined || this.#writes.length === 0) return violation;
    return this.#notQuiet(`${this.#writes.length} writes in ${ms / 1000} s`);
  }

  #notQuiet(what: string): Violation {
    return { invariant: "quiet", found: `${what}, such as ${this.#writes.at(-1) ?? ""}` };
  }

  async #end(): Promise<Violation | undefined> {
    const down = this.#down();
    if (down !== undefined) return down;
    for (const process of this.#processes) process.stop();
    let running = this.#processes.filter((process) => process.isRunning);
    let ended = false;
    void Promise.all(running.map((process) => process.ended())).then(() => (ended = true));
    await this.#advance(stopMs, () => ended);
    await this.clock.settle();
    running = running.filter((process) => !ended || process.leftOpen !== "");
    if (running.length === 0) return undefined;
    const texts = running.map(({ identity, leftOpen }) => `${identity} has left ${leftOpen}`);
    const found = ended ? texts.join("; ") : `still running after ${stopMs / 1000} s`;
    return { invariant: "leak", found };
  }

  #act({ id, name }: StoryAction): void {
    const action = this.#scenario.actions?.[name];
    if (action === undefined) throw new Error(`The scenario has no action ${name}`);
    this.trace.add("user", name);
    this.#writesSince = 0;
    this.#mirror.update();
    const { clock, server, trace } = this;
    const random = seededRandom(hashText(`${this.story.seed} action ${id}`));
    const user = { clock, random, server, state: this.#mirror, trace };
    void runAction(name, action, user).then((error) => error && this.#break(error));
  }

  /** The caches of the server stand still for a time: watches and cached reads show the past. */
  #freezeCaches(ms: number): void {
    const cache = this.server.control.frontEnds.at(0);
    this.trace.add("server", `shows old states for ${(ms / 1000).toFixed(1)} s`);
    cache.freeze();
    const catchUp = (): void => cache.catchUp();
    this.clock.setTimeout(catchUp, ms);
    onAborted(this.faultsEnd, catchUp);
  }

  #upset({ id, kind, replica }: StoryUpset): void {
    this.#writesSince = 0;
    const process = this.#processes[replica];
    const share = this.story.order === "plain" ? 0.5 : draw(this.story.seed, "upset", id, "length");
    switch (kind) {
      case "kill":
        return process?.kill(100 + 10_000 * share);
      case "restart":
        return process?.restart();
      case "pause":
        return process?.pause(5000 + 55_000 * share);
      case "clock-skew":
        return process?.skew(Math.round((2 * share - 1) * 60_000));
      case "stale-cache":
        return this.#freezeCaches(5000 + 55_000 * share);
      case "server-restart":
        this.trace.add("server", "restarts");
        return this.server.control.restart({ unreadyMs: 2000 });
      case "compaction":
        this.trace.add("server", "compacts its history");
        return this.compact();
    }
  }
}

/** Returns the objects that a story begins with. */
function objectsOf({ objects = [] }: LoadedScenario, story: Story): readonly object[] {
  if (story.objects === undefined) return objects;
  return objects.filter((_, place) => story.objects?.includes(place));
}
