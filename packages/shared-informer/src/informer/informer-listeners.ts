import type { Cached, Clock } from "@listwatch/core-fifo";
import { inRealTime, isInstance } from "@listwatch/core-fifo/base";
import type { InformerEvent } from "../cache/informer-event.ts";
import {
  checkHandler,
  classNameOf,
  type HandlerOptions,
} from "../delivery/handler-registration.ts";
import { ProcessorListener } from "../delivery/processor-listener.ts";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import type { ResyncPeriod } from "../delivery/resync-schedule.ts";
import type {
  AddListenerOptions,
  Listener,
  SharedProcessor,
} from "../delivery/shared-processor.ts";
import type { InformerReports } from "./informer-reports.ts";

/** Parts that {@link InformerListeners} connect. */
interface InformerListenersParts<T> {
  readonly clock: Clock;
  /** Entries of the cache. */
  readonly entries: () => Iterable<readonly [key: string, object: Cached<T>]>;
  readonly onEmpty: ((handler: string) => void) | undefined;
  readonly processor: SharedProcessor<T>;
  readonly reports: InformerReports<T>;
  readonly resyncPeriod: ResyncPeriod;
}

/** Mailboxes of an informer. They are created for handlers, and filled from the cache. */
export class InformerListeners<T> {
  readonly #parts: InformerListenersParts<T>;
  #handlers = 0;

  constructor(parts: InformerListenersParts<T>) {
    this.#parts = parts;
  }

  /**
   * Creates the mailbox of a handler, without adding it.
   *
   * @throws {InvalidOptionsError} if the handler is not an object, or a number is out of its range
   */
  create(handler: ResourceEventHandler<T>, options: HandlerOptions): ProcessorListener<T> {
    checkHandler(handler, options);
    this.#handlers++;
    const { clock, onEmpty, reports } = this.#parts;
    return new ProcessorListener<T>(handler, {
      name: options.name ?? classNameOf(handler) ?? `handler-${this.#handlers}`,
      clock,
      maxBacklog: options.maxBacklog,
      onEmpty,
      onSlowHandler: reports.warnOfSlowHandler,
      onLongBacklog: reports.warnOfBacklog,
      onHandlerError: (error, { name }, event) => {
        const origin = { kind: "handler", handler: name, event } as const;
        const report = (reason: unknown): void => void reports.report(reason, origin);
        if (isInstance(error, TypeError) && Object.isFrozen(event.object)) {
          void explain(error, event, report);
        } else report(error);
      },
    });
  }

  /** Adds a mailbox and fills it with the content of the cache. */
  add(listener: Listener<T>, options: AddListenerOptions, isStarted: boolean): void {
    const { entries, processor, reports, resyncPeriod } = this.#parts;
    if (processor.listeners.includes(listener)) return;
    const resyncMs = resyncPeriod.admit(options.resyncMs, isStarted);
    processor.setResyncCheckPeriod(resyncPeriod.checkMs);
    // Without an `await` the cache does not change between adding the mailbox and reading.
    processor.addListener(listener, { ...options, resyncMs });
    if (options.changesOnly !== true) {
      const requestedMs = resyncPeriod.requestedMs(options.resyncMs);
      const effectiveMs = resyncPeriod.effectiveMs(resyncMs);
      reports.warnOfResync(listener.name, requestedMs, effectiveMs);
    }
    for (const [key, object] of entries()) {
      listener.push({ type: "add", key, object, isInInitialList: true });
    }
  }

  /** See {@link SharedProcessor.removeListener}. */
  remove(listener: Listener<T>): Promise<void> {
    return this.#parts.processor.removeListener(listener);
  }
}

/** The module is loaded here because no program needs it in production. */
async function explain<T>(
  error: TypeError,
  event: InformerEvent<T>,
  report: (reason: unknown) => void,
): Promise<void> {
  let reason: Error = error;
  try {
    const { explainChange } = await inRealTime(import("./changed-object.ts"));
    reason = explainChange(error, event);
  } catch {
    // Without the module, the error of the engine is reported.
  }
  report(reason);
}
