import type { KubernetesObject } from "@listwatch/core-fifo";

/** An event that a program has recorded, with the members of `EventRecorder.event`. */
export interface RecordedEvent {
  /** The object that the event is about. */
  readonly regarding: KubernetesObject;
  /** A second object. */
  readonly related?: KubernetesObject | undefined;
  /** `Normal` or `Warning`; `Normal` if the program does not say. */
  readonly type?: string | undefined;
  /** Reason in one word, such as `Created`. */
  readonly reason: string;
  /** Action of the program. */
  readonly action?: string | undefined;
  /** Description for people. */
  readonly note?: string | undefined;
}

/**
 * Takes the place of an `EventRecorder` in a test of one function: it keeps the events, and sends
 * nothing. To test what a cluster shows, use an `EventRecorder` and the matcher `toHaveEvent`.
 *
 * ```ts
 * import { TestEventRecorder } from "@listwatch/testing";
 *
 * const recorder = new TestEventRecorder();
 * const regarding = { metadata: { namespace: "shop", name: "web" } };
 * recorder.event({ regarding, reason: "Created", action: "Create", note: "made a pod" });
 * console.assert(recorder.lines[0] === "Normal Created shop/web: made a pod");
 * ```
 */
export class TestEventRecorder {
  readonly #events: RecordedEvent[] = [];

  /** The events, oldest first. */
  get events(): readonly RecordedEvent[] {
    return this.#events;
  }

  /** The events as `TYPE REASON NAMESPACE/NAME: NOTE`, oldest first. */
  get lines(): readonly string[] {
    return this.#events.map(({ note = "", reason, regarding, type = "Normal" }) => {
      const { name = "", namespace } = regarding.metadata ?? {};
      const key = namespace === undefined ? name : `${namespace}/${name}`;
      return `${type} ${reason} ${key}: ${note}`;
    });
  }

  /** Keeps an event. */
  readonly event = (event: RecordedEvent): void => {
    this.#events.push(event);
  };
}
