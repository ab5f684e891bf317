import { findInconsistency, isStatusError, sleep, systemClock } from "listwatch";
import type { KubernetesObject, ListerWatcher, SharedInformer } from "listwatch";
import type { Pod } from "listwatch/resources/core/v1";
import type { ChangeFlow } from "./change-flow.ts";
import { slowMs, type PictureHandler } from "./picture-handler.ts";
import { manyCount, reportedOf, type SimulatedCluster } from "./simulated-cluster.ts";

export type Fault = "break" | "compact" | "slow" | "many";

/** A line about a fault; a `proof` compares the cache with the server. */
export interface Note {
  readonly tone: "plain" | "proof" | "failure";
  readonly text: string;
}

/** Lists the server. */
type Source = Pick<ListerWatcher<KubernetesObject>, "list">;

interface FaultOptions {
  readonly cluster: SimulatedCluster;
  readonly flow: ChangeFlow;
  readonly handlers: readonly PictureHandler[];
  readonly informer: SharedInformer<Pod, { namespace: string }>;
  readonly listerWatcher: Source;
  readonly onNote: (note: Note) => void;
}

const lookMs = 10;
/** Attempts to connect again that fail after the connection has broken. */
const failedAttempts = 2;
const slowForMs = 4000;

/** Faults of the buttons. Each ends with a comparison of the cache with the server. */
export class PictureFaults {
  /** The longest queue since a fault began. */
  queuePeak = 0;
  readonly #options: FaultOptions;
  readonly #acts: Readonly<Record<Fault, () => Promise<string>>> = {
    break: () => this.#breakConnection(),
    compact: () => this.#compactHistory(),
    slow: () => this.#slowHandler(),
    many: () => this.#changeMany(),
  };
  #lastFailureMs = 0;
  #wasExpired = false;

  constructor(options: FaultOptions) {
    this.#options = options;
  }

  /** Called with each failure of a list or watch. */
  failed(error: unknown): void {
    this.#lastFailureMs = systemClock.now();
    if (isStatusError(error, "Expired", "Gone")) this.#wasExpired = true;
  }

  async run(fault: Fault): Promise<void> {
    this.queuePeak = 0;
    try {
      await this.prove(await this.#acts[fault]());
    } catch (error) {
      this.#options.onNote({ tone: "failure", text: String(error) });
    }
  }

  /** Compares each object of the cache with a list of exactly its version. */
  async prove(claim: string): Promise<void> {
    const { cluster, informer, listerWatcher, onNote } = this.#options;
    await informer.waitForResourceVersion(String(cluster.server.control.revision));
    // In one turn, so that objects and version belong together.
    const objects = informer.store.list();
    const resourceVersion = informer.lastStoreSyncResourceVersion;
    const counted = countListed(listerWatcher);
    const difference = await findInconsistency({
      listerWatcher: counted,
      objects,
      resourceVersion,
    });
    const sides = [objects.length, counted.listed].map(formatNumber);
    if (difference === undefined) {
      onNote({ tone: "proof", text: `${claim} · cache = server (${sides.join(" = ")})` });
      return;
    }
    const { different, extra, missing } = difference;
    const surplus = `${missing.length} missing, ${extra.length} surplus`;
    const counts = `${surplus}, ${different.length} different`;
    onNote({ tone: "failure", text: `cache ≠ server (${sides.join(", ")}): ${counts} · ${claim}` });
  }

  async #breakConnection(): Promise<string> {
    const { control } = this.#options.cluster.server;
    this.#note(`The connection breaks, and ${failedAttempts} attempts to connect again fail`);
    const refusals = control.faults.add({
      match: { resource: "pods", verb: ["list", "watch"] },
      times: failedAttempts,
      action: { type: "reset" },
    });
    const { changes, tookMs } = await this.#recover(() => refusals.consumed);
    refusals.remove();
    const caughtUp = `${formatCount(changes, "change")} caught up`;
    return `reconnected after ${formatSeconds(tookMs)} · ${caughtUp}`;
  }

  async #compactHistory(): Promise<string> {
    const { control } = this.#options.cluster.server;
    await this.#firstEvent();
    this.#note("The history is gone, and the connection breaks: 410 to a watch that resumes");
    control.advanceRevision();
    control.compact();
    this.#wasExpired = false;
    const { changes, tookMs } = await this.#recover(() => this.#wasExpired);
    const missed = `${formatCount(changes, "missed change")} delivered`;
    return `410, listed again after ${formatSeconds(tookMs)} · ${missed}`;
  }

  async #slowHandler(): Promise<string> {
    const slow = this.#options.handlers.at(-1);
    if (slow === undefined) throw new Error("There is no handler");
    const others = this.#options.handlers.slice(0, -1);
    this.#note(`The handler "${slow.name}" takes ${slowMs} ms for each event`);
    slow.isSlow = true;
    const endMs = performance.now() + slowForMs;
    let othersWaited = 0;
    while (performance.now() < endMs) {
      for (const { waiting } of others) othersWaited = Math.max(othersWaited, waiting);
      await sleep(lookMs);
    }
    const waited = slow.waiting;
    const startMs = performance.now();
    slow.isSlow = false;
    while (slow.waiting > 0) await sleep(lookMs);
    const tookMs = performance.now() - startMs;
    const mailboxes = `${waited} waited for "${slow.name}", ${othersWaited} for the others`;
    return `${mailboxes} · caught up in ${formatSeconds(tookMs)}`;
  }

  async #changeMany(): Promise<string> {
    const { cluster, flow, informer } = this.#options;
    const isAdding = cluster.many === 0;
    this.#note(`${formatNumber(manyCount)} pods are ${isAdding ? "created" : "deleted"}`);
    const caughtUp = (): Promise<void> =>
      informer.waitForResourceVersion(String(cluster.server.control.revision));
    const startMs = performance.now();
    flow.drawnOf = reportedOf;
    try {
      await (isAdding ? cluster.addMany() : cluster.removeMany(caughtUp));
      await caughtUp();
    } finally {
      flow.drawnOf = 1;
    }
    const took = formatSeconds(performance.now() - startMs);
    const done = `${formatNumber(manyCount)} ${isAdding ? "added" : "deleted"} in ${took}`;
    return `${done} · longest queue ${formatNumber(this.queuePeak)}`;
  }

  /**
   * Resolves when the open watch has had an event. One that is lost before would not be resumed: an
   * informer lists again in any case.
   */
  async #firstEvent(): Promise<void> {
    for (;;) {
      const { source } = this.#options.informer.status();
      const { lastEventMs = 0, lastListMs = 0, lastWatchMs = 0, phase } = source ?? {};
      if (phase === "watching" && lastEventMs > Math.max(lastListMs, lastWatchMs)) return;
      await sleep(lookMs);
    }
  }

  /** Breaks the connection; resolves when the informer watches again and has caught up. */
  async #recover(isOver: () => boolean): Promise<{ changes: number; tookMs: number }> {
    const { cluster, flow, informer } = this.#options;
    const { control } = cluster.server;
    const startMs = systemClock.now();
    const before = flow.cached;
    control.watches.reset({ resource: "pods" });
    for (;;) {
      const { problem, source } = informer.status();
      const { lastWatchMs = 0, phase } = source ?? {};
      const isWatching = phase === "watching" && problem === undefined;
      // Only a watch that is younger than the last failure counts.
      if (isWatching && isOver() && lastWatchMs >= Math.max(startMs, this.#lastFailureMs)) break;
      await sleep(lookMs);
    }
    const tookMs = systemClock.now() - startMs;
    await informer.waitForResourceVersion(String(control.revision));
    return { changes: flow.cached - before, tookMs };
  }

  #note(text: string): void {
    this.#options.onNote({ tone: "plain", text });
  }
}

/** A source whose `listed` is the number of objects in its last list. */
function countListed(source: Source): Source & { readonly listed: number } {
  let listed = 0;
  return {
    get listed() {
      return listed;
    },
    async list(options, context) {
      const answer = await source.list(options, context);
      listed = 0;
      const pages = Symbol.asyncIterator in answer.items ? answer.items : [answer.items];
      const items: KubernetesObject[] = [];
      for await (const page of pages) items.push(...page);
      listed = items.length;
      return { ...answer, items };
    },
  };
}

function formatNumber(number: number): string {
  return number.toLocaleString("en");
}

function formatCount(number: number, singular: string): string {
  return `${formatNumber(number)} ${singular}${number === 1 ? "" : "s"}`;
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms >= 100 ? 1 : 3)} s`;
}
