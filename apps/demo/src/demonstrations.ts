import { sleep } from "@listwatch/core-fifo";
import type { ChangeAges } from "./change-ages.ts";
import type { Connections } from "./connections.ts";
import type { GuestWorkload } from "./guest-workload.ts";
import { slowHandlerMs } from "./mailboxes.ts";
import type { OwnCluster } from "./own-cluster.ts";
import { formatCount, formatSeconds } from "./plain-text.ts";
import type { Session } from "./session.ts";

/** What the faults act on. */
export interface DemonstrationsOptions {
  readonly session: Session;
  readonly connections: Connections;
  readonly ages: ChangeAges;
  /** The demo's own cluster; `undefined` on a cluster of the user's. */
  readonly own?: OwnCluster | undefined;
  /** What is made on a cluster of the user's; `undefined` when nothing is. */
  readonly guest?: GuestWorkload | undefined;
  /** Whether pods that are made can be seen. */
  readonly seesPods: boolean;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
}

/** How long the 429 storm lasts. */
const stormMs = 5000;
const latencyMs = 800;
/** How long a fault that stays on is watched before its proof. */
const watchedMs = 4000;
/** How often it is looked whether a mailbox is empty. */
const lookMs = 20;
const manyPods = 50_000;
const progressMs = 5000;

const notHere = "Only on a cluster of the demo's own";

/**
 * What the keys do: each breaks or strains something, says so, and proves with measured numbers
 * that nothing was lost. The proof of a broken connection is the session's, which sees it recover.
 */
export class Demonstrations {
  readonly #options: DemonstrationsOptions;
  #isStorming = false;
  #isMakingMany = false;
  #latencyProof = new AbortController();
  #slowProof = new AbortController();

  constructor(options: DemonstrationsOptions) {
    this.#options = options;
  }

  get hasOwnCluster(): boolean {
    return this.#options.own !== undefined;
  }

  get isLatencyOn(): boolean {
    return this.#options.connections.latencyMs > 0;
  }

  get isHandlerSlow(): boolean {
    return this.#options.session.mailboxes.audit.isSlow;
  }

  dropConnection(): void {
    const { connections, own } = this.#options;
    this.#note("d", own === undefined ? connections.drop() : own.dropConnections());
  }

  compactHistory(): void {
    this.#note("c", this.#options.own?.compactHistory() ?? notHere);
  }

  async storm(): Promise<void> {
    const { own, session, signal } = this.#options;
    if (own === undefined) return this.#note("s", notHere);
    if (this.#isStorming) return this.#note("s", "The storm goes on");
    this.#isStorming = true;
    session.setFault("storm", "429 storm");
    this.#note("s", `The server refuses every list and watch with 429 for ${stormMs / 1000} s`);
    const refused = await own.storm(stormMs, signal);
    session.setFault("storm", undefined);
    this.#isStorming = false;
    session.note(`The storm is over: ${formatCount(refused, "request")} refused with 429`);
  }

  async toggleLatency(): Promise<void> {
    const { ages, connections, session } = this.#options;
    const isOn = !this.isLatencyOn;
    connections.latencyMs = isOn ? latencyMs : 0;
    session.setFault("latency", isOn ? `latency ${latencyMs} ms` : undefined);
    const text = `Requests and answers take ${latencyMs} ms longer`;
    this.#note("l", isOn ? text : `${text}: no more`);
    this.#latencyProof.abort();
    this.#latencyProof = new AbortController();
    const signal = this.#until(this.#latencyProof.signal);
    // What is under way arrives as before.
    const sinceMs = Date.now() + latencyMs;
    if (!(await passes(watchedMs, signal))) return;
    await session.prove(() => {
      const median = ages.medianSince(sinceMs);
      if (median === undefined) return { isTrue: true, text: "no change came meanwhile" };
      const isTrue = isOn ? median.ageMs >= latencyMs : median.ageMs < latencyMs;
      const late = `${(median.ageMs / 1000).toFixed(2)} s`;
      return { isTrue, text: `changes arrive ${late} late (median of ${median.count})` };
    }, signal);
  }

  async toggleSlowHandler(): Promise<void> {
    const { mailboxes } = this.#options.session;
    this.#slowProof.abort();
    this.#slowProof = new AbortController();
    const signal = this.#until(this.#slowProof.signal);
    await (mailboxes.audit.isSlow ? this.#quicken(signal) : this.#slowDown(signal));
  }

  async #slowDown(signal: AbortSignal): Promise<void> {
    const { session } = this.#options;
    const { mailboxes } = session;
    mailboxes.setSlow(true);
    session.setFault("slow", "slow handler");
    this.#note("h", `Handler audit takes ${slowHandlerMs} ms for each event`);
    const before = session.feed.total;
    if (!(await passes(watchedMs, signal))) return;
    await session.prove(() => {
      const { waiting } = mailboxes.audit;
      const others = mailboxes.others.reduce((sum, mailbox) => sum + mailbox.waiting, 0);
      const delivered = session.feed.total - before;
      // Without changes there is nothing to wait.
      const isTrue = others === 0 && (waiting > 0 || delivered < 2);
      const text = `audit: ${waiting} waiting; others: ${others}, ${delivered} delivered`;
      return { isTrue, text };
    }, signal);
  }

  async #quicken(signal: AbortSignal): Promise<void> {
    const { session } = this.#options;
    const { mailboxes } = session;
    const { waiting } = mailboxes.audit;
    const startMs = Date.now();
    mailboxes.setSlow(false);
    session.setFault("slow", undefined);
    this.#note("h", `Handler audit is quick again; ${formatCount(waiting, "event")} waited`);
    while (mailboxes.states.some((mailbox) => mailbox.waiting > 0)) {
      if (!(await passes(lookMs, signal))) return;
    }
    const { delivered } = mailboxes.audit;
    const { sawTheSame } = mailboxes;
    const took = formatSeconds(Date.now() - startMs);
    const same = sawTheSame ? "the same history as screen" : "another history than screen";
    session.note(
      `audit caught up ${formatCount(waiting, "event")} in ${took} · ${same} (${delivered})`,
      sawTheSame ? "proof" : "failure",
    );
  }

  async burst(): Promise<void> {
    const { guest, own, seesPods, session, signal } = this.#options;
    if (own === undefined && guest === undefined) {
      return this.#note("b", "Nothing is made here, so there is no burst");
    }
    if (own === undefined && guest?.isReady === false) {
      return this.#note("b", `There is no namespace ${guest.namespace} to make pods in`);
    }
    const startMs = Date.now();
    try {
      const made = (await (own?.burst(signal) ?? guest?.burst())) ?? 0;
      this.#note("b", `Started ${made} pods`);
      if (!seesPods) return;
      await session.prove(() => {
        const took = formatSeconds(Date.now() - startMs);
        return { isTrue: true, text: `${made} pods in the cache after ${took}` };
      }, signal);
    } catch (error) {
      this.#fail(error);
    }
  }

  async toggleManyPods(): Promise<void> {
    const { own, seesPods, session, signal } = this.#options;
    if (own === undefined) return this.#note("m", notHere);
    if (!seesPods) return this.#note("m", "It makes pods, which would not be seen here");
    if (this.#isMakingMany)
      return this.#note("m", `${formatCount(own.manyPods.made, "pod")} so far`);
    this.#isMakingMany = true;
    const isMaking = own.manyPods.made === 0;
    this.#note("m", `${isMaking ? "Makes" : "Removes"} ${formatCount(manyPods, "pod")}`);
    const startMs = Date.now();
    const before = session.feed.total;
    const progress = this.#reportProgress(own);
    try {
      await (isMaking ? own.manyPods.make(manyPods, signal) : own.manyPods.remove(signal));
      progress.abort();
      await session.prove(() => {
        const tookMs = Date.now() - startMs;
        const events = session.feed.total - before;
        const rate = formatCount(Math.round((events / tookMs) * 1000), "event");
        const text = `${manyPods.toLocaleString("en")} ${isMaking ? "added" : "deleted"}`;
        return { isTrue: true, text: `${text} in ${formatSeconds(tookMs)}, ${rate}/s` };
      }, signal);
    } catch (error) {
      this.#fail(error);
    } finally {
      progress.abort();
      this.#isMakingMany = false;
    }
  }

  #reportProgress(own: OwnCluster): AbortController {
    const end = new AbortController();
    const report = async (): Promise<void> => {
      while (await passes(progressMs, this.#until(end.signal))) {
        this.#options.session.note(`${formatCount(own.manyPods.made, "pod")} on the server`);
      }
    };
    void report();
    return end;
  }

  #until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([this.#options.signal, signal]);
  }

  #note(key: string, text: string): void {
    this.#options.session.note(`${text} (key ${key})`);
  }

  /** That it failed because the program ends is no news. */
  #fail(error: unknown): void {
    const { session, signal } = this.#options;
    if (signal.aborted) return;
    session.note(error instanceof Error ? error.message : String(error), "failure");
  }
}

/** Waits; resolves with whether the time has passed and not the signal ended it. */
async function passes(delayMs: number, signal: AbortSignal): Promise<boolean> {
  await sleep(delayMs, { signal }).catch(() => {});
  return !signal.aborted;
}
