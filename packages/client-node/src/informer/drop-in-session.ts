import type { SourceSession } from "./pausable-source.ts";

/** What a {@link DropInSession} is made of. */
export interface DropInSessionParts {
  /** The end of the session before. */
  readonly after: Promise<void>;
  /** Connects and begins; it may throw. */
  readonly open: () => OpenedSession;
  /** Resolves when the callbacks have been called for all that is in the cache. */
  readonly delivered: () => Promise<void>;
}

/** A session that lists and watches. */
export interface OpenedSession {
  readonly source: SourceSession;
  /** Closes the connection. */
  readonly close: () => Promise<void>;
}

/** One start of an informer, up to its stop. */
export class DropInSession {
  /** What `start()` returns: rejects if the session ends with a failure. */
  readonly started: Promise<void>;
  /** Resolves when nothing of the session is left. */
  readonly ended: Promise<void>;
  #isStopping = false;
  #source: SourceSession | undefined;

  constructor(parts: DropInSessionParts) {
    const started = Promise.withResolvers<void>();
    const running = this.#run(parts, started.resolve);
    running.then(started.resolve, started.reject);
    this.started = started.promise;
    this.ended = running.catch(() => undefined);
  }

  /** Resolves as {@link DropInSession.ended}. */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#source?.stop();
    return this.ended;
  }

  async #run({ after, delivered, open }: DropInSessionParts, onStarted: () => void): Promise<void> {
    await after;
    if (this.#isStopping) return;
    const { close, source } = open();
    this.#source = source;
    // Its failure is that of the session.
    void source.synced.then(delivered).then(onStarted, () => undefined);
    try {
      await source.ended;
    } finally {
      await delivered();
      await close();
    }
  }
}
