import { isConflict, isNetworkError, isNotFound, sleep } from "listwatch";
import { errorMessage } from "./arguments.ts";
import type { Session } from "./session.ts";

/** One write in the life of a pod, after a random time between two numbers of milliseconds. */
export type Step = readonly [fromMs: number, toMs: number, write: () => Promise<unknown>];

/** The parts of a session that simulated pods use. */
export type Stage = Pick<Session, "clock" | "note" | "random" | "signal">;

/** Takes pods through the steps of their lives, until the demo ends. */
export class PodLives {
  readonly #stage: Stage;
  #failure = "";

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Runs lives one after the other; never rejects. */
  async repeat(life: () => readonly Step[], first: readonly Step[] = life()): Promise<void> {
    for (let steps = first; !this.#stage.signal.aborted; steps = life()) await this.run(steps);
  }

  /** Runs a life, which ends at the first write that fails; never rejects. */
  async run(steps: readonly Step[]): Promise<void> {
    const { clock, random, signal } = this.#stage;
    try {
      for (const [fromMs, toMs, write] of steps) {
        await sleep(fromMs + random() * (toMs - fromMs), { clock, signal });
        await write();
      }
    } catch (error) {
      // A user with kubectl was faster, or the server is away, which the informer reports.
      const isNormal = isNotFound(error) || isConflict(error) || isNetworkError(error);
      const failure = `Cannot change anything here: ${errorMessage(error)}`;
      if (signal.aborted || isNormal || failure === this.#failure) return;
      this.#failure = failure;
      this.#stage.note(failure);
    }
  }

  /** Creates many pods at once, and lets them go on; resolves with their number. */
  async burst(size: number, life: () => readonly Step[]): Promise<number> {
    const lives = Array.from({ length: size }, life);
    await Promise.all(lives.map(async ([create]) => create?.[2]()));
    for (const steps of lives) void this.run(steps.slice(1));
    return size;
  }
}
