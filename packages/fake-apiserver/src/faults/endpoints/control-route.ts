import type { CoreSnapshot, ServerControl } from "../../control/server-control.ts";
import type { JsonReader } from "../inputs/json-reader.ts";

/** One request to a control route. */
export interface ControlCall {
  readonly control: ServerControl;
  readonly snapshots: Map<string, CoreSnapshot>;
  readonly reader: JsonReader;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  /** The segment in the place of `*` in the path. */
  readonly parameter: string;
}

/** One control request; what it returns becomes the JSON answer. */
export interface ControlRoute {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** Fields of the body; others are refused before anything is done. @default none */
  readonly fields?: readonly string[] | "checked by run" | undefined;
  readonly run: (call: ControlCall) => unknown;
}

/** Whether the path of a route has these segments, any of them in the place of `*`. */
export function fitsPath({ path }: ControlRoute, segments: readonly string[]): boolean {
  const parts = path.split("/").filter((part) => part !== "");
  return (
    parts.length === segments.length &&
    parts.every((part, index) => part === "*" || part === segments[index])
  );
}
