import { sleep } from "listwatch";
import { errorMessage } from "./arguments.ts";
import type { Guest } from "./guest.ts";
import { slowMs } from "./handler.ts";
import type { OwnCluster } from "./own-cluster.ts";
import type { Session } from "./session.ts";
import { formatCount, formatSeconds } from "./words.ts";

/** The clusters in which the demo makes pods. */
export interface Places {
  readonly own: OwnCluster | undefined;
  readonly guest: Guest | undefined;
}

const stormMs = 5000;
const latencyMs = 800;
/** How long a fault that stays on is watched before its proof. */
const watchedMs = 4000;
const lookMs = 20;
/** Number of pods that the key m makes and removes. */
export const manyPods = 50_000;

/**
 * The faults of the keys: each breaks or strains something, and proves with measured numbers that
 * nothing was lost. For a broken connection the session does so when it has recovered.
 */
export class Faults {
  readonly #session: Session;
  readonly #places: Places;
  /** Ends what the last press of a key has begun, by key. */
  readonly #presses = new Map<string, AbortController>();
  readonly #acts: Readonly<Record<string, () => Promise<void> | void>> = {
    d: () => {
      const broken = this.#session.connections.drop();
      this.#note("d", broken === 0 ? "No connection is open" : "Broke the connection");
    },
    l: () => this.#toggleLatency(),
    h: () => this.#toggleSlowHandler(),
    b: () => this.#burst(),
  };
  readonly #actsOnOwn: Readonly<Record<string, (own: OwnCluster) => Promise<void> | void>> = {
    c: (own) => {
      this.#note("c", `Compacted the history up to resourceVersion ${own.compactHistory()}`);
      // An open watch does not notice: only a new one starts from a version that is gone.
      this.#session.connections.drop();
    },
    s: (own) => this.#storm(own),
    m: (own) => this.#toggleMany(own),
  };

  constructor(session: Session, places: Places) {
    this.#session = session;
    this.#places = places;
  }

  /** Runs the fault of a key, if it has one; keys wait for the first watch in their order. */
  async press(key: string): Promise<void> {
    const { own } = this.#places;
    const onOwn = this.#actsOnOwn[key];
    const act = this.#acts[key] ?? (own && onOwn && (() => onOwn(own)));
    if (act === undefined && onOwn === undefined) return;
    if (!this.#session.isReady) this.#session.note(`Waits for the first watch (key ${key})`);
    await this.#session.ready.promise;
    if (act === undefined) return this.#note(key, "Only on a cluster of the demo's own");
    try {
      await act();
    } catch (error) {
      // The demo ends, or the key was pressed again.
      if (error instanceof Error && error.name === "AbortError") return;
      this.#session.note(errorMessage(error), "failure");
    }
  }

  async #storm(own: OwnCluster): Promise<void> {
    const { faults } = this.#session;
    if (faults.has("s")) return this.#note("s", "The storm goes on");
    faults.set("s", () => "429 storm");
    this.#note("s", `The server refuses every list and watch with 429 for ${stormMs / 1000} s`);
    const storm = own.storm(stormMs);
    this.#session.connections.drop();
    const refused = formatCount(await storm, "request");
    faults.delete("s");
    this.#session.note(`The storm is over: ${refused} refused with 429`);
  }

  async #toggleLatency(): Promise<void> {
    const { clock, faults, feed } = this.#session;
    const isOn = this.#toggle("l", `latency ${latencyMs} ms`);
    this.#session.connections.latencyMs = isOn ? latencyMs : 0;
    const text = `Requests and answers take ${latencyMs} ms longer`;
    this.#note("l", isOn ? text : `${text}: no more`);
    // Changes in flight arrive as before.
    const sinceMs = clock.now() + latencyMs;
    await this.#proveLater("l", () => {
      const median = feed.medianAge(sinceMs);
      if (median === undefined) return [true, "no change came meanwhile"];
      const { ageMs, count } = median;
      const late = `${(ageMs / 1000).toFixed(2)} s`;
      // A timer can be a fraction of a millisecond early.
      const isTrue = faults.has("l") === Math.ceil(ageMs) >= latencyMs;
      return [isTrue, `changes arrive ${late} late (median of ${count})`];
    });
  }

  async #toggleSlowHandler(): Promise<void> {
    const { audit, feed, metrics, screen } = this.#session;
    audit.isSlow = this.#toggle("h", "slow handler");
    if (!audit.isSlow) return this.#catchUp();
    this.#note("h", `Handler audit takes ${slowMs} ms for each event`);
    const before = feed.total;
    await this.#proveLater("h", () => {
      const { waiting } = audit;
      const others = screen.waiting + metrics.waiting;
      const delivered = feed.total - before;
      // Without changes no event waits.
      const isTrue = others === 0 && (waiting > 0 || delivered < 2);
      return [isTrue, `audit: ${waiting} waiting; others: ${others}, ${delivered} delivered`];
    });
  }

  async #catchUp(): Promise<void> {
    const { audit, clock, screen } = this.#session;
    const signal = this.#restart("h");
    const waited = formatCount(audit.waiting, "event");
    const startMs = clock.now();
    this.#note("h", `Handler audit is quick again; ${waited} waited`);
    while (audit.waiting + screen.waiting > 0) await sleep(lookMs, { clock, signal });
    const took = formatSeconds(clock.now() - startMs);
    const isSame = audit.sawTheSameAs(screen);
    const history = isSame ? "the same history as screen" : "another history than screen";
    const text = `audit caught up ${waited} in ${took} · ${history} (${audit.delivered})`;
    this.#session.note(text, isSame ? "proof" : "failure");
  }

  async #burst(): Promise<void> {
    const { clock, seesPods } = this.#session;
    const place = this.#places.own ?? this.#places.guest;
    if (!place?.isReady) return this.#note("b", "There is no place to make pods in");
    const startMs = clock.now();
    const made = await place.burst();
    this.#note("b", `Started ${made} pods`);
    if (!seesPods) return;
    await this.#session.prove(() => {
      return [true, `${made} pods in the cache after ${formatSeconds(clock.now() - startMs)}`];
    });
  }

  async #toggleMany(own: OwnCluster): Promise<void> {
    const { clock, faults, feed, seesPods } = this.#session;
    if (!seesPods) return this.#note("m", "Its pods would not be seen here");
    if (faults.has("m")) return this.#note("m", `${formatCount(own.many, "pod")} so far`);
    const isAdding = own.many === 0;
    const [startMs, before] = [clock.now(), feed.total];
    this.#note("m", `${isAdding ? "Makes" : "Removes"} ${formatCount(manyPods, "pod")}`);
    faults.set("m", () => `${formatCount(own.many, "pod")} on the server`);
    await own.setMany(isAdding ? manyPods : 0).finally(() => faults.delete("m"));
    await this.#session.prove(() => {
      const tookMs = clock.now() - startMs;
      const perSecond = Math.round(((feed.total - before) / tookMs) * 1000);
      const what = `${manyPods.toLocaleString("en")} ${isAdding ? "added" : "deleted"}`;
      return [true, `${what} in ${formatSeconds(tookMs)}, ${formatCount(perSecond, "event")}/s`];
    });
  }

  #note(key: string, text: string): void {
    this.#session.note(`${text} (key ${key})`);
  }

  /** Switches the fault of a key; returns whether it is on. */
  #toggle(key: string, text: string): boolean {
    const { faults } = this.#session;
    if (!faults.delete(key)) faults.set(key, () => text);
    return faults.has(key);
  }

  /** Proves a claim after some time, unless the key is pressed again. */
  async #proveLater(key: string, claim: Parameters<Session["prove"]>[0]): Promise<void> {
    const signal = this.#restart(key);
    await sleep(watchedMs, { clock: this.#session.clock, signal });
    await this.#session.prove(claim, signal);
  }

  #restart(key: string): AbortSignal {
    this.#presses.get(key)?.abort();
    const press = new AbortController();
    this.#presses.set(key, press);
    return AbortSignal.any([this.#session.signal, press.signal]);
  }
}
