import type { Syncable } from "../delivery/wait-for-cache-sync.ts";
import type { Informer } from "../informer/informer.ts";

/** An informer of any type. */
type AnyInformer = Pick<Informer<unknown>, "isCalling" | "isStopped" | "phase" | "run"> &
  AsyncDisposable &
  Syncable & { readonly lister: object };

interface Member {
  readonly informer: AnyInformer;
  /** Called with the error of its run. */
  readonly onFailure: (error: unknown) => void;
  /** Number of requests that were not released. */
  users: number;
  /** Set when the factory has started it. */
  run: Promise<void> | undefined;
  /** Whether it ended without a sync. It is kept until another one replaces it. */
  hasFailed: boolean;
}

/** Informers of a factory by name, from the first user to the end. */
export class FactoryMembers {
  readonly #byName = new Map<string, Member>();
  /**
   * Runs and releases that have not ended. Also of an informer that is ending while another one
   * replaces it.
   */
  readonly #unended = new Map<Promise<void>, AnyInformer>();
  #isClosed = false;
  #hasStarted = false;

  /** Started informers that are not forgotten, or have never synced. */
  get started(): readonly AnyInformer[] {
    const started = [...this.#byName.values()].filter(({ run }) => run !== undefined);
    return started.map(({ informer }) => informer);
  }

  /** Whether a callback of a handler has been called and has not returned, not even a promise. */
  get isCalling(): boolean {
    return [...this.#unended.values()].some((informer) => informer.isCalling);
  }

  /** Informers that wait for their first start. */
  get unstarted(): readonly AnyInformer[] {
    if (this.#hasStarted) return [];
    const informers = Array.from(this.#byName.values(), ({ informer }) => informer);
    return informers.filter(({ phase }) => phase === "created");
  }

  /** Returns the running informer with this name; after the close, also an ended one. */
  find(name: string): AnyInformer | undefined {
    const member = this.#byName.get(name);
    if (member === undefined || member.hasFailed) return undefined;
    return member.informer.isStopped && !this.#isClosed ? undefined : member.informer;
  }

  /** Counts a user. Adds the informer with its first one, in place of an ended informer. */
  use(informer: AnyInformer, onFailure: (error: unknown) => void): void {
    const { name } = informer;
    const member = this.#byName.get(name);
    if (member?.informer === informer) {
      member.users += 1;
      return;
    }
    this.#byName.set(name, { informer, onFailure, users: 1, run: undefined, hasFailed: false });
  }

  /**
   * Runs the informers that did not run before. Returns promises of their ends, none of which
   * rejects unhandled.
   */
  start(signal: AbortSignal): readonly Promise<void>[] {
    this.#hasStarted = true;
    return [...this.#byName.values()]
      .filter(({ informer }) => informer.phase === "created")
      .map((member) => this.#start(member, signal));
  }

  /**
   * Ends and forgets an informer with its last user.
   *
   * @param released the informer, or its lister
   */
  async release(released: object): Promise<void> {
    const member = [...this.#byName.values()].find(
      ({ informer: { lister }, informer }) => informer === released || lister === released,
    );
    if (member === undefined) return;
    const { informer, hasFailed, run } = member;
    member.users -= 1;
    if (member.users > 0 && !hasFailed) return;
    this.#forget(member);
    if (hasFailed || (run === undefined && informer.phase !== "created")) return;
    const leaving = Promise.resolve(informer[Symbol.asyncDispose]());
    if (run === undefined) this.#unended.set(leaving, informer);
    // It rejects in a callback of the informer.
    await leaving.finally(() => this.#unended.delete(leaving));
  }

  /** Freezes the set of informers. Returns the ends of the running ones. */
  close(): readonly Promise<void>[] {
    this.#isClosed = true;
    return [...this.#unended.keys()];
  }

  /** Names of the informers that were started or released and have not ended. */
  get unended(): readonly string[] {
    return Array.from(this.#unended.values(), ({ name }) => name);
  }

  #start(member: Member, signal: AbortSignal): Promise<void> {
    const { informer, onFailure } = member;
    const run = informer.run(signal);
    member.run = run;
    this.#unended.set(run, informer);
    run.then(
      () => this.#noteEnd(member, run),
      (error: unknown) => {
        // Failures after the close go to the caller of the shutdown.
        if (!this.#isClosed) onFailure(error);
        this.#noteEnd(member, run);
      },
    );
    return run;
  }

  #noteEnd(member: Member, run: Promise<void>): void {
    this.#unended.delete(run);
    if (this.#isClosed) return;
    if (member.informer.hasSynced) this.#forget(member);
    else member.hasFailed = true;
  }

  #forget(member: Member): void {
    const { name } = member.informer;
    if (this.#byName.get(name) === member) this.#byName.delete(name);
  }
}
