import {
  createInvalidOptionError,
  withTimeLimit,
  type Cached,
  type Clock,
  type FailureLog,
} from "@listwatch/core-fifo/base";
import { checkGrant, type CheckedGrant, type Grant } from "../access/grant.ts";
import type { CollectionLog } from "../log/collection-log.ts";
import type { EventStreamOptions, StreamedInformers } from "./event-stream-options.ts";
import type { PageStream } from "./page-stream.ts";
import type { Subscription } from "./subscription.ts";
import { Views, type ObjectFilter, type SignedView } from "./view.ts";

/** Time until a question is repeated that had no answer, in milliseconds. */
const retryMs = 5000;

/** Untyped options, for the code that serves any collection. */
export interface AnyOptions extends Omit<
  EventStreamOptions<StreamedInformers>,
  "authorize" | "filter"
> {
  readonly authorize: (request: Request, collection: string) => Grant | Promise<Grant>;
  readonly filter?:
    | Readonly<Record<string, ((object: never, request: Request) => boolean) | undefined>>
    | undefined;
}

/** Parts of {@link GrantQuestions}. */
interface GrantQuestionsParts {
  readonly options: AnyOptions;
  readonly clock: Clock;
  readonly failures: FailureLog;
  /** Belongs to the history of the server, like the views. */
  readonly epoch: string;
  /** Sends the changes until now by the grants until now. */
  readonly flush: () => void;
}

/** Asks `authorize` what pages may see, and gives their subscriptions the views. */
export class GrantQuestions {
  readonly #parts: GrantQuestionsParts;
  readonly #views: Views;

  constructor(parts: GrantQuestionsParts) {
    this.#parts = parts;
    this.#views = new Views(parts.epoch);
  }

  /**
   * Asks about the grants of a new stream, and uses the answers together: their order does not show
   * which collections exist.
   */
  async askFirst(stream: PageStream): Promise<void> {
    for (const use of await Promise.all(this.#askForAll(stream))) use();
    // Once: a position that goes out must belong to the views of all collections.
    stream.refresh();
    stream.isAsking = false;
  }

  /** Asks about the grants of a stream again, and uses each answer at once. */
  async ask(stream: PageStream): Promise<void> {
    const using = this.#askForAll(stream).map(async (answer) => {
      (await answer)();
      // At once: until then changes would be sent by the former grant.
      stream.refresh();
    });
    await Promise.all(using);
    stream.isAsking = false;
  }

  /** Forgets the views that no page has. */
  sweep(): void {
    this.#views.sweep();
  }

  #askForAll(stream: PageStream): Promise<() => void>[] {
    const { clock, options } = this.#parts;
    stream.isAsking = true;
    stream.askAtMs = clock.now() + (options.authorizeMs ?? 60_000);
    return stream.subscriptions.map((subscription) => this.#askFor(subscription, stream));
  }

  /** Returns a function that uses the answer. */
  async #askFor(subscription: Subscription, stream: PageStream): Promise<() => void> {
    const { clock, failures, flush, options } = this.#parts;
    const { log, name } = subscription;
    let use = (): void => subscription.deny();
    if (log !== undefined) {
      const { authorize, authorizeLimitMs = 10_000 } = options;
      let subject = "Authorization";
      try {
        const limit = { clock, limitMs: authorizeLimitMs };
        const given = await withTimeLimit(limit, async () => authorize(stream.request, name));
        const grant = checkGrant(given);
        failures.recover(subject, name);
        if (grant !== undefined) {
          subject = "Selection of fields";
          const view = this.#viewOf(stream, log, grant);
          failures.recover(subject, name);
          use = () => subscription.allow(view);
        }
      } catch (error) {
        // Nothing is sent without a grant and its fields. The next question comes soon.
        use = () => subscription.pause();
        stream.askAtMs = Math.min(stream.askAtMs, clock.now() + retryMs);
        failures.report({ subject, name, error, isLasting: true });
      }
    }
    return () => {
      // A change belongs to the view before: the new one is compared with the objects after it.
      flush();
      use();
      if (log?.isEnded === true) subscription.pause();
      subscription.noteProblem();
    };
  }

  /** @throws if `fields` throws or returns something else than paths */
  #viewOf({ identity, request }: PageStream, log: CollectionLog, grant: CheckedGrant): SignedView {
    const { name } = log;
    const { fields, filter: filters } = this.#parts.options;
    const filter = filters && Object.hasOwn(filters, name) ? filters[name] : undefined;
    return this.#views.get({
      log,
      grant,
      identity,
      fields: fields?.(request, name),
      filter: filter && this.#guard(filter, request, name),
      onError: (error) => this.#report(error, name),
    });
  }

  #guard(
    filter: (object: never, request: Request) => boolean,
    request: Request,
    name: string,
  ): ObjectFilter {
    return (object: Cached<object>) => {
      try {
        // The filter is that of the objects' collection.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return isSelected(filter(object as never, request));
      } catch (error) {
        this.#report(error, name);
        return false;
      }
    };
  }

  #report(error: unknown, name: string): void {
    this.#parts.failures.report({ subject: "Objects of a stream", name, error });
  }
}

/** Rejects a promise of a filter, which would select every object. */
function isSelected(result: unknown): boolean {
  if (typeof result === "boolean") return result;
  throw createInvalidOptionError("filter", "a function that returns true or false", result);
}
