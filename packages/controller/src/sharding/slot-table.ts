import type { NotSlotOwnerError } from "./ring-errors.ts";

/** A user of slots, such as a controller. */
export interface SlotUser {
  /** Name of the user in reports, such as "the controller pods". */
  readonly name: string;
  /** Whether the user was started. */
  readonly hasStarted: () => boolean;
  /** Settles when the caches of the user are filled, or will not be. The ring joins after that. */
  readonly ready: Promise<unknown>;
  /** Called with slots that this process has just taken over. */
  activated(slots: ReadonlySet<number>): void;
  /**
   * Waits for the work of slots that this process gives up, and aborts it at a limit. Resolves when
   * it has ended, or just after the abort.
   */
  drain(slots: ReadonlySet<number>, reason: NotSlotOwnerError): Promise<void>;
  /** Aborts the work of slots that this process has lost. Resolves as `drain` does. */
  abort(slots: ReadonlySet<number>, reason: NotSlotOwnerError): Promise<void>;
}

/** The time in which this process owns a slot. */
export interface Tenure {
  /** The slot's number, from 0. */
  readonly slot: number;
  /** Aborted when the slot is lost. */
  readonly lost: AbortSignal;
}

interface OwnTenure extends Tenure {
  readonly controller: AbortController;
  /** Whether no further key may be started. */
  isEnding: boolean;
}

/** The slots of this process: those that it owns, and those whose work is ending. */
export class SlotTable {
  readonly #tenures = new Map<number, OwnTenure>();
  readonly #users: SlotUser[] = [];
  readonly #onChange: () => void;

  /** @param onChange called when work has ended */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get active(): readonly number[] {
    return this.#slotsThat(false);
  }

  get ending(): readonly number[] {
    return this.#slotsThat(true);
  }

  /** Whether no work is ending. */
  get areSettled(): boolean {
    for (const { isEnding } of this.#tenures.values()) if (isEnding) return false;
    return true;
  }

  get isEmpty(): boolean {
    return this.#tenures.size === 0;
  }

  /** Returns the name of a user that was not started. */
  get unstarted(): string | undefined {
    return this.#users.find(({ hasStarted }) => !hasStarted())?.name;
  }

  /** Settles when all users are ready. */
  async ready(): Promise<void> {
    await Promise.allSettled(this.#users.map(({ ready }) => ready));
  }

  has(slot: number): boolean {
    return this.#tenures.has(slot);
  }

  isActive(slot: number): boolean {
    return this.#tenures.get(slot)?.isEnding === false;
  }

  /** Returns the current tenure of a slot, also while its work is ending. */
  tenureOf(slot: number): Tenure | undefined {
    return this.#tenures.get(slot);
  }

  add(user: SlotUser): void {
    this.#users.push(user);
  }

  activate(slots: readonly number[]): void {
    for (const slot of slots) {
      const controller = new AbortController();
      this.#tenures.set(slot, { slot, lost: controller.signal, controller, isEnding: false });
    }
    const set = new Set(slots);
    for (const user of this.#users) user.activated(set);
  }

  /** Starts no further work of these slots. They are free when the work in progress has ended. */
  drain(slots: readonly number[], reason: NotSlotOwnerError): void {
    void this.#giveUp(slots, reason, "drain");
  }

  /** Aborts all work. The slots are free when it has ended. */
  abort(reason: NotSlotOwnerError): void {
    for (const { controller } of this.#tenures.values()) controller.abort(reason);
    void this.#giveUp([...this.#tenures.keys()], reason, "abort");
  }

  async #giveUp(
    slots: readonly number[],
    reason: NotSlotOwnerError,
    how: "abort" | "drain",
  ): Promise<void> {
    if (slots.length === 0) return;
    const tenures = slots.map((slot) => [slot, this.#tenures.get(slot)] as const);
    for (const [, tenure] of tenures) if (tenure !== undefined) tenure.isEnding = true;
    const set = new Set(slots);
    await Promise.allSettled(this.#users.map((user) => user[how](set, reason)));
    for (const [slot, tenure] of tenures) {
      tenure?.controller.abort(reason);
      if (this.#tenures.get(slot) === tenure) this.#tenures.delete(slot);
    }
    this.#onChange();
  }

  #slotsThat(areEnding: boolean): readonly number[] {
    const slots: number[] = [];
    for (const [slot, { isEnding }] of this.#tenures) if (isEnding === areEnding) slots.push(slot);
    return slots.sort((a, b) => a - b);
  }
}
