import { createHash } from "node:crypto";
import { metaNamespaceKey, sleep, type Clock, type KubernetesObject } from "listwatch";
import type { HandlerRegistration, Informer } from "listwatch";
import { writtenAt, type ObjectEvent } from "./event-feed.ts";
import { describeChange, describeState } from "./words.ts";

/** Time of a slow handler for each event, in milliseconds. */
export const slowMs = 700;

/** A handler of the informer that counts its events and can be slow. */
export class DemoHandler {
  readonly name: string;
  isSlow = false;
  /** Events that the handler has returned from. */
  delivered = 0;
  readonly #clock: Clock;
  readonly #onEvent: (event: ObjectEvent) => void;
  readonly #registration: HandlerRegistration;
  readonly #history = createHash("sha256");
  #inProgress = 0;

  constructor(
    name: string,
    { clock, informer }: { clock: Clock; informer: Pick<Informer, "addEventHandler"> },
    onEvent: (event: ObjectEvent) => void = () => {},
  ) {
    this.name = name;
    this.#clock = clock;
    this.#onEvent = onEvent;
    const handler: Parameters<typeof informer.addEventHandler>[0] = {
      onAdd: (object, isListed) => {
        const detail = `${describeState(object)}${isListed ? " (listed)" : ""}`;
        return this.#handle("add", metaNamespaceKey(object), detail, object);
      },
      onUpdate: (old, object) => {
        const detail = describeChange(old, object);
        return this.#handle("update", metaNamespaceKey(object), detail, object, old);
      },
      onDelete: ({ key, object, stale }) => {
        const state = object === undefined ? "unknown" : describeState(object);
        const detail = `was ${state}${stale ? " (missed)" : ""}`;
        return this.#handle("delete", key, detail, object, object);
      },
    };
    // A relist would otherwise show objects that did not change.
    this.#registration = informer.addEventHandler(handler, { name, changesOnly: true });
  }

  /** Events that wait, including the one in progress. */
  get waiting(): number {
    return this.#registration.backlog + this.#inProgress;
  }

  /** Whether both were called with the same events in the same order. */
  sawTheSameAs(other: DemoHandler): boolean {
    return this.#history.copy().digest("hex") === other.#history.copy().digest("hex");
  }

  #handle(
    kind: ObjectEvent["kind"],
    key: string,
    detail: string,
    object: KubernetesObject | undefined,
    old?: KubernetesObject,
  ): Promise<void> | void {
    const finish = (): void => {
      this.#inProgress = 0;
      this.delivered++;
      this.#history.update(`${kind} ${key} ${object?.metadata?.resourceVersion ?? ""}\n`);
      const [writtenMs, atMs] = [writtenAt(object), this.#clock.now()];
      const isNew = writtenMs !== undefined && writtenMs !== writtenAt(old);
      this.#onEvent({ kind, key, detail, atMs, ageMs: isNew ? atMs - writtenMs : undefined });
    };
    if (!this.isSlow) return finish();
    this.#inProgress = 1;
    return sleep(slowMs, { clock: this.#clock }).then(finish);
  }
}
