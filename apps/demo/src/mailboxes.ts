import { sleep, metaNamespaceKey, type KubernetesObject } from "@listwatch/core-fifo";
import { resourceVersionOf } from "@listwatch/core-fifo/base";
import type { HandlerRegistration, SharedInformer } from "@listwatch/shared-informer";
import { describeChange, describeState } from "./describe-object.ts";
import type { FeedEvent } from "./event-feed.ts";
import { Tally, type SeenEvent } from "./tally.ts";

/** The mailbox of one handler at one moment. */
export interface Mailbox {
  readonly name: string;
  /** Events that wait, the one in progress included. */
  readonly waiting: number;
  /** Events that the handler has returned from. */
  readonly delivered: number;
  readonly isSlow: boolean;
}

/** Milliseconds that the slow handler takes for each event. */
export const slowHandlerMs = 700;

/** One handler of an informer, and what it has seen. */
class CountingHandler {
  readonly name: string;
  readonly tally: Tally = new Tally();
  #registration: HandlerRegistration | undefined;
  /** Aborted when the handler is to be quick again; `undefined` while it is. */
  #slow: AbortController | undefined;
  #inProgress = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Adds it to the informer; `show` is called with each event. */
  attach(
    informer: Pick<SharedInformer, "addEventHandler">,
    show?: (event: SeenEvent, detail: string) => void,
  ): void {
    const handle = (event: SeenEvent, describe: () => string): Promise<void> | undefined => {
      if (this.#slow !== undefined) return this.#handleSlowly(event, this.#slow.signal);
      this.tally.note(event);
      show?.(event, describe());
      return undefined;
    };
    const version = (object: KubernetesObject | undefined): string =>
      object === undefined ? "" : (resourceVersionOf(object) ?? "");
    this.#registration = informer.addEventHandler(
      {
        onAdd: (object, isInInitialList) =>
          handle(
            { kind: "add", key: metaNamespaceKey(object), resourceVersion: version(object) },
            () => `${describeState(object)}${isInInitialList ? " (listed)" : ""}`,
          ),
        onUpdate: (old, object) =>
          handle(
            { kind: "update", key: metaNamespaceKey(object), resourceVersion: version(object) },
            () => describeChange(old, object),
          ),
        onDelete: ({ key, object, stale }) =>
          handle({ kind: "delete", key, resourceVersion: version(object) }, () => {
            const state = object === undefined ? "unknown" : describeState(object);
            return `was ${state}${stale ? " (missed)" : ""}`;
          }),
      },
      // After a relist, objects that did not change are no news.
      { name: this.name, changesOnly: true },
    );
  }

  get state(): Mailbox {
    const { name, tally } = this;
    const waiting = (this.#registration?.backlog ?? 0) + this.#inProgress;
    return { name, waiting, delivered: tally.delivered, isSlow: this.#slow !== undefined };
  }

  setSlow(isSlow: boolean): void {
    this.#slow?.abort();
    this.#slow = isSlow ? new AbortController() : undefined;
  }

  async #handleSlowly(event: SeenEvent, signal: AbortSignal): Promise<void> {
    this.#inProgress = 1;
    await sleep(slowHandlerMs, { signal }).catch(() => {});
    this.#inProgress = 0;
    this.tally.note(event);
  }
}

/**
 * The three handlers of the demo, each with a mailbox of its own: `screen` shows the events,
 * `metrics` counts them, and `audit` counts them too and can be made slow.
 */
export class Mailboxes {
  readonly #screen = new CountingHandler("screen");
  readonly #metrics = new CountingHandler("metrics");
  readonly #audit = new CountingHandler("audit");

  constructor(
    informer: Pick<SharedInformer, "addEventHandler">,
    onEvent: (event: FeedEvent, resourceVersion: string) => void,
  ) {
    this.#screen.attach(informer, ({ kind, key, resourceVersion }, detail) =>
      onEvent({ kind, key, detail, atMs: Date.now() }, resourceVersion),
    );
    this.#metrics.attach(informer);
    this.#audit.attach(informer);
  }

  /** `audit` is the last one. */
  get states(): readonly Mailbox[] {
    return [this.#screen.state, this.#metrics.state, this.#audit.state];
  }

  get audit(): Mailbox {
    return this.#audit.state;
  }

  /** The mailboxes other than that of `audit`. */
  get others(): readonly Mailbox[] {
    return [this.#screen.state, this.#metrics.state];
  }

  /** Whether `audit` and `screen` were called with the same events in the same order. */
  get sawTheSame(): boolean {
    return this.#audit.tally.equals(this.#screen.tally);
  }

  setSlow(isSlow: boolean): void {
    this.#audit.setSlow(isSlow);
  }
}
