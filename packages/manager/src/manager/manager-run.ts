import type { Client } from "@listwatch/client";
import type { EventRecorder, Leadership, LeaderElector } from "@listwatch/controller";
import { ListwatchError, type Clock, type Log } from "@listwatch/core-fifo";
import { describeDuration, inRealTime, linkAbort, onAborted } from "@listwatch/core-fifo/base";
import type { AnyRecipe } from "../controllers/managed-controller.ts";
import { runWhileServed } from "../controllers/optional-run.ts";
import type { AnyInformer, ManagedInformers } from "../informers/managed-informers.ts";
import { ExitGuard } from "../lifecycle/exit-guard.ts";
import { Stage } from "../lifecycle/stage.ts";
import { listenToProcess, type StopSignal } from "../process/process-events.ts";
import { findProcess } from "../process/runtime.ts";
import type { Checks } from "../server/checks.ts";
import { Heartbeat } from "../server/heartbeat.ts";
import {
  createPageServer,
  listen,
  type Page,
  type PageRequest,
  type PageServer,
} from "../server/listen.ts";
import { answerProbe } from "../server/probes.ts";
import type { ManagerOptions, ProtectedMetricsOptions, ServedMetrics } from "./manager-options.ts";
import type { Runnable } from "./runnable.ts";
import type { StartWebhooks, ServedWebhooks } from "./served-webhooks.ts";

/** How a manager ended without a failure. */
export interface ManagerEnd {
  /** `abort` for the signal that `run` got and for disposal, otherwise the signal of the process. */
  readonly by: StopSignal | "abort";
}

/** Parts of a manager that a run starts and stops. */
interface ManagerRunParts {
  readonly name: string;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly elector: LeaderElector | undefined;
  readonly informers: ManagedInformers;
  readonly controllers: readonly AnyRecipe[];
  readonly runnables: readonly Runnable[];
  /** Checks of the program. */
  readonly live: Checks;
  readonly ready: Checks;
  readonly metrics: ServedMetrics;
  readonly options: ManagerOptions;
  readonly webhooks: readonly StartWebhooks[];
  /** Returns the state of the manager. */
  readonly inspect: () => object;
}

/** Reason of the end of a run. */
type End = { readonly by: StopSignal | "abort" } | { readonly error: unknown };

/** Time beyond its limit after which a reconcile makes the process unfit, in milliseconds. */
const stuckMs = 60_000;

/** Work of the leader has ended while it leads. */
class EarlyEnd extends Error {}

/** One run of a manager. */
export class ManagerRun {
  readonly #parts: ManagerRunParts;
  /** Aborted when the manager begins to stop. */
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  /** In the order of their stop. */
  readonly #controllers = this.#createStage("the controller");
  readonly #leading = this.#createStage("the runnable");
  readonly #election = this.#createStage("the elector");
  readonly #others = this.#createStage("the runnable");
  readonly #recording = this.#createStage("the event recorder");
  readonly #serving = this.#createStage("the server of");
  /** Servers of webhooks that have started. */
  readonly #services = new Set<ServedWebhooks>();
  readonly #exit: ExitGuard | undefined;
  readonly #heartbeat: Heartbeat;
  #end: End | undefined;
  #server: PageServer | undefined;
  #inspector: PageServer | undefined;
  #metricsServer: PageServer | undefined;

  constructor(parts: ManagerRunParts) {
    this.#parts = parts;
    const { clock, log, options } = parts;
    const {
      blockedMs = 10_000,
      exitTimeoutMs = 5000,
      stopTimeoutMs = 20_000,
    } = options.limits ?? {};
    this.#heartbeat = new Heartbeat(clock, blockedMs);
    const process = options.signals === false ? undefined : findProcess();
    const limitMs = stopTimeoutMs + exitTimeoutMs;
    const unended = (): Readonly<Record<string, readonly string[]>> => this.#unended();
    this.#exit = process && new ExitGuard({ process, clock, log, limitMs, unended });
  }

  /** Port of the probes, if they are served. */
  get port(): number | undefined {
    return this.#server?.port;
  }

  /** Ends the run because a part has ended. The first call decides the result. */
  end(part: string, failure: { readonly error: unknown } | undefined): void {
    const early = new ListwatchError(
      "LW_MANAGER",
      `Cannot go on without ${part}: expected it to run until its signal is aborted, got its end`,
    );
    this.#beginStop({ error: failure === undefined ? early : failure.error });
  }

  /** Starts the recorder, which is stopped after everything that records events. */
  startRecorder(recorder: EventRecorder): void {
    void this.#recording.start("events", (signal) => recorder.run(signal));
  }

  async stopAndWait(): Promise<void> {
    this.#beginStop({ by: "abort" });
    await this.#ended.promise;
  }

  async run(signal: AbortSignal | undefined): Promise<ManagerEnd> {
    const { clock, log, name, options } = this.#parts;
    const process = options.signals === false ? undefined : findProcess();
    const stopListening =
      process &&
      listenToProcess(process, options.signals || ["SIGTERM", "SIGINT"], {
        onSignal: (by) => this.#beginStop({ by }),
        onUncaught: (error) => this.#beginStop({ error }),
      });
    const removeListener = onAborted(signal, () => this.#beginStop({ by: "abort" }));
    const startMs = clock.now();
    log.info("Manager starts", { manager: name });
    try {
      await this.#start();
      await untilStopped(this.#stop.signal);
    } catch (error) {
      this.#beginStop({ error });
    }
    removeListener();
    await this.#stopAll();
    this.#exit?.end();
    stopListening?.();
    const lasted = describeDuration(clock.now() - startMs);
    log.info("Manager has stopped", { manager: name, after: lasted });
    this.#ended.resolve();
    const end = this.#end ?? { by: "abort" };
    if ("by" in end) return end;
    if (process !== undefined) process.exitCode = 1;
    throw end.error;
  }

  async #start(): Promise<void> {
    const { elector, informers, log, options, runnables } = this.#parts;
    const { signal: stop } = this.#stop;
    this.#heartbeat.start();
    await this.#listen();
    await this.#openInspector();
    // Before caches and election: a replica could wait for objects that its own webhook converts.
    for (const start of this.#parts.webhooks) this.#serve(start);
    if (stop.aborted) return;
    informers.start();
    await this.#waitForSync(stop);
    if (stop.aborted) return;
    for (const { name, needsLeader = false, run } of runnables) {
      if (!needsLeader) void this.#others.start(name, run);
    }
    if (elector !== undefined) {
      void this.#election.start("election", (signal) => elector.run(signal));
    }
    for (const controller of this.#parts.controllers) this.#startController(controller);
    for (const { name, needsLeader = false, run } of runnables) {
      if (needsLeader) void this.#leading.start(name, (signal) => this.#lead(run, signal));
    }
    const role = elector === undefined ? undefined : "candidate";
    log.info("Manager works", { manager: this.#parts.name, role, namespaces: options.namespaces });
  }

  async #waitForSync(stop: AbortSignal): Promise<void> {
    const { clock, informers, log, options } = this.#parts;
    const beganMs = clock.now();
    try {
      await informers.waitForSync(options.limits?.syncTimeoutMs ?? 120_000, stop);
    } catch (error) {
      if (!stop.aborted) throw error;
      return;
    }
    const took = describeDuration(clock.now() - beganMs);
    log.info("Informers have synced", { informers: informers.required.length, took });
  }

  #startController(controller: AnyRecipe): void {
    const { client, clock, elector, log, options } = this.#parts;
    const { isOptional, name, resource } = controller;
    void this.#controllers.start(name, async (stop) => {
      if (!isOptional || resource === undefined) return controller.run(stop, elector);
      const intervalMs = options.limits?.discoveryMs ?? 30_000;
      const run = (signal: AbortSignal): Promise<void> => controller.run(signal, elector);
      const parts = { client, clock, log, controller: name, resource, intervalMs, run };
      return runWhileServed(parts, stop);
    });
  }

  /** Runs work while this replica leads. A non-leader that is stopped never calls it. */
  async #lead(run: Runnable["run"], stop: AbortSignal): Promise<void> {
    const { elector } = this.#parts;
    if (elector === undefined) {
      await run(stop);
      return;
    }
    const rejoins = elector.onLost === "rejoin";
    const lead = async ({ lost }: Leadership): Promise<true> => {
      const link = linkAbort(stop, lost);
      try {
        await run(link.signal);
      } catch (error) {
        if (!rejoins || !lost.aborted) throw error;
      } finally {
        link.release();
      }
      if (!lost.aborted && !stop.aborted) throw new EarlyEnd();
      return true;
    };
    try {
      // Once for each term, if the elector rejoins.
      for (;;) {
        const hasLed = await elector.lead(lead, { signal: stop });
        if (hasLed !== true || !rejoins || stop.aborted) break;
      }
    } catch (error) {
      if (error instanceof EarlyEnd) return;
      throw error;
    }
    // The elector reports its own end.
    await untilStopped(stop);
  }

  async #listen(): Promise<void> {
    const { log, options } = this.#parts;
    const { server = findProcess() === undefined ? false : {} } = options;
    if (server === false) return;
    const { host, port = 8081 } = server;
    this.#server = await listen({ host, port }, (request) =>
      answerProbe(
        {
          live: this.#liveChecks(),
          ready: this.#readyChecks(),
          metrics:
            server.protectedMetrics === undefined && this.#parts.metrics.write !== undefined
              ? () => this.#writeMetrics()
              : undefined,
        },
        request,
      ),
    );
    log.info("Server listens", { port: this.#server.port });
    if (server.protectedMetrics !== undefined) {
      await this.#listenProtected(server.protectedMetrics, host);
    }
  }

  async #listenProtected(
    { authorize = true, port = 8443, tls }: ProtectedMetricsOptions,
    host: string | undefined,
  ): Promise<void> {
    const { client, clock, log } = this.#parts;
    const { MetricsAccess } = await inRealTime(import("../server/metrics-access.ts"));
    const access = authorize ? new MetricsAccess(client, clock) : undefined;
    const answer = async ({ authorization, url }: PageRequest): Promise<Page> => {
      if (url.pathname !== "/metrics") return { status: 404, body: "Expected /metrics\n" };
      const status = access === undefined ? 200 : await access.check(authorization);
      if (status === 200) return this.#writeMetrics();
      const what = status === 401 ? "a bearer token" : "the permission to get /metrics";
      return { status, body: `Expected ${what}\n` };
    };
    const address = { host, port };
    if (tls !== undefined && "certificateFile" in tls) {
      const { listenWithFiles } = await inRealTime(import("../server/renewed-listener.ts"));
      this.#metricsServer = await listenWithFiles({ address, answer, clock, log }, tls);
    } else {
      this.#metricsServer = await createPageServer(answer, tls).listen(address);
    }
    log.info("Metrics are served", { port: this.#metricsServer.port, tls: tls !== undefined });
  }

  #serve(start: StartWebhooks): void {
    const { signal: stop } = this.#stop;
    void this.#serving.start("webhooks", async () => {
      const service = await start(stop);
      this.#services.add(service);
      this.#parts.log.info("Webhooks are served", { manager: this.#parts.name });
      await untilStopped(stop);
      // At once, so that API servers call other replicas before this one has ended.
      await service.close();
    });
  }

  async #openInspector(): Promise<void> {
    const { inspect, log, options } = this.#parts;
    if (options.inspector === undefined || options.inspector === false) return;
    const { answerInspector } = await inRealTime(import("../server/inspector.ts"));
    const { port = 8082 } = options.inspector;
    this.#inspector = await listen({ host: "127.0.0.1", port }, (request) =>
      Promise.resolve(answerInspector(inspect, request)),
    );
    log.info("Inspector listens", { url: `http://127.0.0.1:${this.#inspector.port}/` });
  }

  async #writeMetrics(): Promise<Page> {
    const body = (await this.#parts.metrics.write?.()) ?? "";
    return { status: 200, body, type: "text/plain; version=0.0.4; charset=utf-8" };
  }

  #liveChecks(): Checks {
    const checks = this.#parts.live.copy();
    checks.set("event-loop", () => refuse(this.#heartbeat.check()));
    for (const { history, name, timeoutMs } of this.#parts.controllers) {
      checks.set(`controller/${name}`, () => {
        const now = this.#parts.clock.now();
        const stuck = history.running.find(({ startMs }) => now - startMs > timeoutMs + stuckMs);
        const text = stuck && `a reconcile has run for ${describeDuration(now - stuck.startMs)}`;
        return refuse(text);
      });
    }
    return checks;
  }

  #readyChecks(): Checks {
    const { clock, informers, options, ready, webhooks } = this.#parts;
    const { staleAfterMs = Infinity } = options.server === false ? {} : (options.server ?? {});
    const checks = ready.copy();
    checks.set("manager", () => refuse(this.#stop.signal.aborted ? "it is stopping" : undefined));
    if (webhooks.length > 0) checks.set("webhooks", () => refuse(this.#webhookProblem()));
    for (const informer of informers.required) {
      checks.set(`informer/${informer.name}`, () =>
        describeInformer(informer, clock.now(), staleAfterMs),
      );
    }
    return checks;
  }

  #webhookProblem(): string | undefined {
    const ready = [...this.#services].filter(({ isReady }) => isReady).length;
    const missing = this.#parts.webhooks.length - ready;
    return missing === 0 ? undefined : "the server of webhooks has no certificate or is closed";
  }

  #beginStop(end: End): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    const { log, name } = this.#parts;
    if ("error" in end) log.error("Manager fails", { manager: name, cause: end.error });
    else log.info("Manager stops", { manager: name, by: end.by });
    this.#exit?.start();
    this.#stop.abort();
  }

  async #stopAll(): Promise<void> {
    await this.#controllers.stop();
    await this.#leading.stop();
    await this.#election.stop();
    await this.#others.stop();
    await this.#parts.informers.stop();
    await this.#recording.stop();
    await this.#serving.stop();
    await this.#inspector?.close();
    await this.#metricsServer?.close();
    await this.#server?.close();
    this.#server = undefined;
    this.#heartbeat.stop();
  }

  #unended(): Readonly<Record<string, readonly string[]>> {
    const keys = this.#parts.controllers.flatMap(({ history, name }) =>
      history.running.map(({ key }) => `${name} ${key}`),
    );
    const stages = [this.#leading, this.#election, this.#others, this.#recording, this.#serving];
    const works = stages.flatMap(({ running }) => running);
    return { keys, works, informers: this.#parts.informers.running };
  }

  #createStage(kind: string): Stage {
    return new Stage((name, failure) => this.end(`${kind} ${name}`, failure));
  }
}

/** @throws {Error} with this text, if there is one, so that a check fails */
function refuse(text: string | undefined): void {
  if (text !== undefined) throw new Error(text);
}

/**
 * Describes a synced informer.
 *
 * @throws {Error} with the reason why it is not ready
 */
function describeInformer(informer: AnyInformer, nowMs: number, staleAfterMs: number): string {
  if (!informer.hasSynced) throw new Error(informer.explainUnsynced().reason);
  const { liveAsOfMs } = informer.status();
  const ageMs = liveAsOfMs === undefined ? Infinity : nowMs - liveAsOfMs;
  const count = new Intl.NumberFormat("en-US").format(informer.store.listKeys().length);
  const age = liveAsOfMs === undefined ? "behind" : `${describeDuration(ageMs)} ago`;
  const text = `${count} objects, ${age}`;
  if (ageMs > staleAfterMs) throw new Error(text);
  return text;
}

function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAborted(signal, resolve));
}
