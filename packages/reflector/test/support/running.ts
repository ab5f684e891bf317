import { metaNamespaceKey, type KubernetesObject } from "@listwatch/core-fifo";
import { seededRandom, type SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  Reflector,
  type ListerWatcher,
  type ReflectorErrorContext,
  type ReflectorOptions,
  type ReflectorStore,
} from "@listwatch/reflector";
import { versionsOf, type ConfigMap } from "./cluster.ts";

/** A store that records its calls. */
export class MapStore<T extends KubernetesObject = ConfigMap> implements ReflectorStore<T> {
  readonly objects = new Map<string, T>();
  readonly calls: string[] = [];
  /** Selects calls that throw, without effect. */
  fail: (call: string) => boolean = () => false;

  add(object: T): void {
    this.#upsert("add", object);
  }

  update(object: T): void {
    this.#upsert("update", object);
  }

  delete(object: T): void {
    this.#note(`delete ${metaNamespaceKey(object)}`);
    this.objects.delete(metaNamespaceKey(object));
  }

  replace(objects: readonly T[], resourceVersion: string): void {
    this.#note(`replace ${objects.length} at ${resourceVersion}`);
    this.objects.clear();
    for (const object of objects) this.objects.set(metaNamespaceKey(object), object);
  }

  resync(): void {
    this.#note("resync");
  }

  bookmark(resourceVersion: string): void {
    this.#note(`bookmark ${resourceVersion}`);
  }

  state(): Record<string, string> {
    return versionsOf(this.objects.values());
  }

  #upsert(method: string, object: T): void {
    this.#note(`${method} ${metaNamespaceKey(object)}`);
    this.objects.set(metaNamespaceKey(object), object);
  }

  #note(call: string): void {
    this.calls.push(call);
    if (this.fail(call)) throw new Error(`refused ${call}`);
  }
}

interface ReportedFailure extends ReflectorErrorContext {
  readonly error: unknown;
}

export interface Running<T extends KubernetesObject> {
  readonly reflector: Reflector<T>;
  readonly store: MapStore<T>;
  readonly errors: ReportedFailure[];
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Options of {@link start} that differ from the defaults. */
export type StartOptions<T extends KubernetesObject = ConfigMap> = Partial<
  Omit<ReflectorOptions<T>, "listerWatcher" | "store">
> & { readonly store?: MapStore<T> };

/** Starts a reflector and lets it settle. */
export async function start<T extends KubernetesObject = ConfigMap>(
  clock: SimulatedClock,
  listerWatcher: ListerWatcher<T>,
  options: StartOptions<T> = {},
): Promise<Running<T>> {
  const store = options.store ?? new MapStore<T>();
  const errors: ReportedFailure[] = [];
  const reflector = new Reflector<T>({
    random: seededRandom(1),
    clock,
    listerWatcher,
    ...options,
    store,
    onError: (error, context) => {
      errors.push({ error, ...context });
      return options.onError?.(error, context);
    },
  });
  const controller = new AbortController();
  const ended = reflector.run(controller.signal);
  ended.catch(() => undefined);
  await clock.settle();
  return {
    reflector,
    store,
    errors,
    ended,
    stop: async () => {
      controller.abort();
      await ended;
    },
  };
}
