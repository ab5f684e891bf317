import type { SourceSession } from "./pausable-source.ts";

export interface DropInSessionParts {
  /** The end of the previous session. */
  readonly after: Promise<void>;
  /** Connects and begins to list. May throw. */
  readonly open: () => OpenedSession;
  /** Resolves when the callbacks have been called for all cached objects. */
  readonly delivered: () => Promise<void>;
}

/** A session that lists and watches. */
export interface OpenedSession {
  readonly source: SourceSession;
  /** Resolves when the first watch has been answered. */
  readonly watched: Promise<void>;
  readonly close: () => Promise<void>;
}

/** The time from one start of an informer to its stop. */
export class DropInSession {
  /** The promise that `start()` returns. Rejects if the session ends with a failure. */
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

  stop(): Promise<void> {
    this.#isStopping = true;
    this.#source?.stop();
    return this.ended;
  }

  async #run({ after, delivered, open }: DropInSessionParts, onStarted: () => void): Promise<void> {
    await after;
    if (this.#isStopping) return;
    const { close, source, watched } = open();
    this.#source = source;
    // `source.ended` rejects with the same failure.
    void source.synced
      .then(() => watched)
      .then(delivered)
      .then(onStarted, () => undefined);
    try {
      await source.ended;
    } finally {
      await delivered();
      await close();
    }
  }
}
