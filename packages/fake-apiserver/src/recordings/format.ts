import type { JsonObject } from "@listwatch/core-fifo/base";

/** A resource of a recording, as the cluster that was recorded serves it. */
export interface RecordedResource {
  /** API group; "" for the core group. */
  readonly group: string;
  /** API version, such as `v1`. */
  readonly version: string;
  /** Plural name, such as `pods`. */
  readonly resource: string;
  /** Kind of the objects, such as `Pod`. */
  readonly kind: string;
  /** Whether the objects are in namespaces. */
  readonly namespaced: boolean;
}

/** First line of a recording. */
export interface RecordingHeader {
  /** Version of the format: 1. */
  readonly recording: number;
  /** Start of the recording, as an ISO time. The times of all other lines count from it. */
  readonly startedAt: string;
  /** Recorded resources. Other lines name them by their index in this list. */
  readonly resources: readonly RecordedResource[];
  /** Paths that were recorded although their values are replaced by default, as they were given. */
  readonly includes: readonly string[];
  /** Whether names were replaced by hashes. */
  readonly hashedNames: boolean;
}

/** The start of a list. The next `items` lines of this resource are its objects, as `LISTED`. */
export interface ListLine {
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  readonly type: "LIST";
  /** Index in {@link RecordingHeader.resources}. */
  readonly resource: number;
  /** Number of objects in the list. */
  readonly items: number;
  /** Version of the list. */
  readonly resourceVersion: string;
}

/** An object of a list, or its change. */
export interface ObjectLine {
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  /** `LISTED` for an object of a list, otherwise the type of the watch event. */
  readonly type: "LISTED" | "ADDED" | "MODIFIED" | "DELETED";
  /** Index in {@link RecordingHeader.resources}. */
  readonly resource: number;
  readonly object: JsonObject;
  /** Paths that were left out, with the length of their JSON in characters. */
  readonly omitted?: Readonly<Record<string, number>> | undefined;
}

/** The last line of a recording that was not cut off. */
export interface EndLine {
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  readonly type: "END";
}

/** A line after the header. */
export type RecordingLine = ListLine | ObjectLine | EndLine;

/** A state of an object in a recording. */
export interface RecordedChange {
  /** Milliseconds since the start of the recording. */
  readonly at: number;
  /** `LISTED` for an object of a list, otherwise the type of the change. */
  readonly type: ObjectLine["type"];
  /** Plural name of the resource, with its group: `deployments.apps`. */
  readonly resource: string;
  /** Namespace and name of the object: `default/web`. */
  readonly key: string;
  /** The state; the last one for a deleted object that a repeated list lacks is `undefined`. */
  readonly object: JsonObject | undefined;
}

/** A recording whose lines are read one by one. */
export interface Recording {
  readonly header: RecordingHeader;
  /** The lines after the header, in the order of their times. Can be read once. */
  readonly lines: AsyncIterable<RecordingLine>;
  /**
   * The states of objects, in the order of their times. An object that a repeated list no longer
   * contains is deleted. Reads {@link Recording.lines}, so only one of both can be read.
   */
  readonly changes: AsyncIterable<RecordedChange>;
  /**
   * Reads a moment: `+3m12s` since the start, or an ISO time.
   *
   * @returns milliseconds since the start
   * @throws {@link TypeError} for another text, and for a time before the start
   */
  moment(text: string): number;
}
