import type { CoreSnapshot } from "../control/controlled-core.ts";
import type { ServerControl } from "../control/server-control.ts";
import type { JsonReader } from "../inputs/json-reader.ts";

/** One request to a control route. */
export interface ControlCall {
  readonly control: ServerControl;
  readonly snapshots: Map<string, CoreSnapshot>;
  readonly reader: JsonReader;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  /** The part of the path in the place of `*`. */
  readonly parameter: string;
}

/** One control request; what it returns becomes the JSON answer. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** Fields that the body may have; others are refused before anything is done. @default none */
  readonly fields?: readonly string[] | "checked by run" | undefined;
  readonly run: (call: ControlCall) => unknown;
}
