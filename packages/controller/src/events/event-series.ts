import type { KubernetesObject } from "@listwatch/core-fifo";

/** Formats a time as a MicroTime of the API. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace("Z", "000Z");
}

/** Reference to an object, in an event. */
export interface ObjectReference {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly uid: string | undefined;
}

/** The fields of an events.k8s.io/v1 Event that are written. */
export interface EventObject extends KubernetesObject {
  readonly eventTime?: string | undefined;
  readonly series?: { readonly count: number; readonly lastObservedTime: string } | undefined;
}

interface Content {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  readonly note?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly regarding: ObjectReference;
  readonly related: ObjectReference | undefined;
}

interface Source {
  readonly controller: string;
  readonly instance: string;
  /** Name of the event. */
  readonly name: string;
}

/** Longest note that the API accepts, in UTF-8 bytes (k8s.io/kubernetes, validation of events). */
const maxNoteBytes = 1024;

/** One event and its repeats. */
export class EventSeries {
  #name: string;
  #isCreated = false;
  #mayExist = false;
  readonly #content: Content;
  readonly #source: Source;
  readonly #firstMs: number;
  #lastMs: number;
  #count = 1;
  #writtenCount = 0;
  #writtenMs = -Infinity;

  constructor(content: Content, source: Source, nowMs: number) {
    this.#name = source.name;
    this.#content = content;
    this.#source = source;
    this.#firstMs = nowMs;
    this.#lastMs = nowMs;
  }

  /** `namespace/name` of the event. Events of cluster-scoped objects are in "default". */
  get key(): string {
    const { namespace } = this.#content.regarding;
    const isNamespaced = namespace !== undefined && namespace !== "";
    return `${isNamespaced ? namespace : "default"}/${this.#name}`;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the server has the event. */
  get isCreated(): boolean {
    return this.#isCreated;
  }

  /** Whether the server may have the event, because the answer to an attempt was lost. */
  get mayExist(): boolean {
    return this.#mayExist;
  }

  get lastMs(): number {
    return this.#lastMs;
  }

  /** Count on the server; 0 before the event is written. */
  get writtenCount(): number {
    return this.#writtenCount;
  }

  get writtenMs(): number {
    return this.#writtenMs;
  }

  /** Whether the count on the server is lower than the current one. */
  get isBehind(): boolean {
    return this.#writtenCount < this.#count;
  }

  repeat(nowMs: number): void {
    this.#count += 1;
    this.#lastMs = nowMs;
  }

  /** Changes the name of the event, because it is taken. */
  rename(name: string): void {
    this.#name = name;
  }

  noteLostAnswer(): void {
    this.#mayExist = true;
  }

  noteCreated(): void {
    this.#isCreated = true;
  }

  noteWritten(count: number, nowMs: number): void {
    this.#writtenCount = count;
    this.#writtenMs = nowMs;
  }

  /** Returns the event for its creation. */
  object(): EventObject {
    const [namespace, name] = this.key.split("/");
    const { controller, instance } = this.#source;
    const { note = "", annotations, ...content } = this.#content;
    return {
      ...content,
      metadata: { namespace, name, annotations },
      eventTime: microTime(this.#firstMs),
      reportingController: controller,
      reportingInstance: instance,
      note: shortened(note),
      ...this.patch(),
    } as EventObject;
  }

  /** Returns the fields that a repeat changes. */
  patch(): Pick<EventObject, "series"> {
    if (this.#count < 2) return {};
    return { series: { count: this.#count, lastObservedTime: microTime(this.#lastMs) } };
  }
}

function shortened(note: string): string {
  const bytes = new TextEncoder().encode(note);
  if (bytes.length <= maxNoteBytes) return note;
  // Removes a character that was cut in two.
  return new TextDecoder().decode(bytes.subarray(0, maxNoteBytes)).replace(/\uFFFD$/, "");
}
