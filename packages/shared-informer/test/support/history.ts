import type { InformerEvent, ResourceEventHandler } from "../../src/index.ts";
import { describeContent, type ConfigMap } from "./cluster.ts";

/** Behaviour of a handler. */
export interface Behaviour {
  /**
   * Whether the initial list precedes everything else. Several informers combined into one view
   * have an initial list each. A resynced stream delivers omitted objects when it continues.
   */
  readonly initialListFirst: boolean;
  /** Duration of a callback in ms of simulated time; 0 is synchronous. */
  readonly delayMs: () => number;
  /** Whether a callback throws or rejects. */
  readonly fails: () => boolean;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Connection of a handler, or the reader of a stream, to its informer. */
export interface Connection {
  readonly backlog: number;
  /** Undefined for streams. */
  readonly hasSynced?: boolean;
  remove(): Promise<void>;
}

interface Call {
  readonly type: "add" | "delete" | "update";
  readonly key: string;
  readonly old?: string;
  readonly version: string | undefined;
  readonly isInInitialList?: boolean;
}

/** A handler that records its calls and checks them. */
export class History {
  readonly name: string;
  readonly handler: ResourceEventHandler<ConfigMap>;
  readonly complaints: string[] = [];
  connection: Connection | undefined;
  readonly #behaviour: Behaviour;
  readonly #known = new Map<string, string>();
  #initialIsOver = false;
  #inProgress = false;
  #wasSynced = false;
  #calls = 0;

  constructor(name: string, behaviour: Behaviour) {
    this.name = name;
    this.#behaviour = behaviour;
    this.handler = {
      onAdd: (object, isInInitialList) =>
        this.#note({
          type: "add",
          key: keyOf(object),
          version: describeContent(object),
          isInInitialList,
        }),
      onUpdate: (old, object) =>
        this.#note({
          type: "update",
          key: keyOf(object),
          old: describeContent(old),
          version: describeContent(object),
        }),
      onDelete: ({ key, object }) =>
        this.#note({ type: "delete", key, version: object && describeContent(object) }),
    };
  }

  get calls(): number {
    return this.#calls;
  }

  /** The objects that the handler knows: key → content. */
  get known(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#known);
  }

  /** Records a complaint if `hasSynced` went back. */
  checkSynced(): void {
    const hasSynced = this.connection?.hasSynced === true;
    if (this.#wasSynced && !hasSynced) this.complaints.push("hasSynced went back");
    this.#wasSynced ||= hasSynced;
  }

  /** Handles an event of a stream like a handler would. */
  async read(event: InformerEvent<ConfigMap>): Promise<void> {
    const { handler } = this;
    try {
      if (event.type === "add") await handler.onAdd?.(event.object, event.isInInitialList);
      else if (event.type === "update") await handler.onUpdate?.(event.old, event.object);
      else await handler.onDelete?.(event);
    } catch {
      // The failure is intended; a reader that throws would leave its loop.
    }
  }

  #note(call: Call): Promise<void> | undefined {
    this.#calls++;
    if (this.#inProgress) this.complaints.push(`${call.type} ${call.key}: calls overlap`);
    const problem = this.#problemOf(call);
    if (problem !== undefined) {
      this.complaints.push(`call ${this.#calls}, ${JSON.stringify(call)}: ${problem}`);
    }
    if (call.type === "delete") this.#known.delete(call.key);
    else this.#known.set(call.key, call.version ?? "");
    return this.#behave();
  }

  #problemOf({ isInInitialList, key, old, type }: Call): string | undefined {
    const known = this.#known.get(key);
    if (isInInitialList === true && this.#initialIsOver && this.#behaviour.initialListFirst) {
      return "initial list after other events";
    }
    if (isInInitialList === true && this.#wasSynced) return "initial list after the sync";
    if (isInInitialList !== true) this.#initialIsOver = true;
    if (type === "add") return known === undefined ? undefined : "added twice";
    if (known === undefined) return `${type} of something unknown`;
    // A relist without changes may have replaced the cached object without a call of this handler.
    return type === "update" && old !== known ? `old is not the last object, ${known}` : undefined;
  }

  #behave(): Promise<void> | undefined {
    const delayMs = this.#behaviour.delayMs();
    const fails = this.#behaviour.fails();
    if (delayMs === 0) {
      if (fails) throw new Error("told to fail");
      return undefined;
    }
    return this.#behaveSlowly(delayMs, fails);
  }

  async #behaveSlowly(delayMs: number, fails: boolean): Promise<void> {
    this.#inProgress = true;
    await this.#behaviour.sleep(delayMs);
    this.#inProgress = false;
    if (fails) throw new Error("told to fail");
  }
}

function keyOf({ metadata }: ConfigMap): string {
  return `${metadata.namespace}/${metadata.name}`;
}
