import type { ApiObject } from "../../api/api-object.ts";

/** Options of a log request, from its query. Numbers that it does not set are missing. */
export interface PodLogOptions {
  /** The log goes on until the client or the container ends it. */
  readonly follow: boolean;
  /** The log of the instance of the container before this one. */
  readonly previous: boolean;
  /** Each line begins with its time. */
  readonly timestamps: boolean;
  /** Lines of the last so many seconds. */
  readonly sinceSeconds?: number | undefined;
  /** Lines since a time (RFC 3339). */
  readonly sinceTime?: string | undefined;
  /** So many of the last lines. */
  readonly tailLines?: number | undefined;
  /** So many bytes at most. */
  readonly limitBytes?: number | undefined;
}

/** A request for the log of a container. */
export interface PodLogRequest {
  readonly pod: ApiObject;
  readonly container: string;
  readonly options: PodLogOptions;
  /** Aborted when the client no longer reads. */
  readonly signal: AbortSignal;
}

/** A log: a string, or a stream for one that continues. */
export type PodLog = string | ReadableStream<Uint8Array>;

/** Called for each request for a log; returns it as the options want it. */
export type PodLogSource = (request: PodLogRequest) => PodLog | Promise<PodLog>;

/** A container whose log is fixed. */
export interface LoggedContainer {
  /** @default "default" */
  readonly namespace?: string | undefined;
  readonly name: string;
  /** @default every container of the pod */
  readonly container?: string | undefined;
}

/**
 * Says what the pods of a server do that only runs on nodes: their logs. Pods without a node have
 * none.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 *
 * const pod = {
 *   apiVersion: "v1",
 *   kind: "Pod",
 *   metadata: { name: "web" },
 *   spec: { nodeName: "n1", containers: [{ name: "main", image: "web" }] },
 * };
 * const { control, fetch } = new FakeApiServer({ objects: [pod] });
 * control.pods.log(({ container, options }) => `${container} ${options.tailLines}\n`);
 * const url = "http://fake/api/v1/namespaces/default/pods/web/log?tailLines=5";
 * const log = await (await fetch(url)).text();
 * console.assert(log === "main 5\n");
 * ```
 */
export class PodControl {
  readonly #texts = new Map<string, string>();
  #source: PodLogSource = () => "";

  /** Takes the logs from a function, in place of an earlier one. @default empty logs */
  log(source: PodLogSource): void {
    this.#source = source;
  }

  /**
   * Fixes the log of a container. Of the options only `tailLines` counts for it, and the function
   * of {@link log} is not called.
   */
  setLog({ container = "", name, namespace = "default" }: LoggedContainer, text: string): void {
    this.#texts.set(`${namespace}/${name}/${container}`, text);
  }

  /** @internal */
  async readLog(request: PodLogRequest): Promise<PodLog> {
    const { container, options, pod } = request;
    const { name = "", namespace = "" } = pod.metadata;
    const prefix = `${namespace}/${name}/`;
    const text = this.#texts.get(prefix + container) ?? this.#texts.get(prefix);
    return text === undefined ? this.#source(request) : lastLines(text, options.tailLines);
  }
}

function lastLines(text: string, count: number | undefined): string {
  if (count === undefined) return text;
  const lines = text.split("\n");
  // A line break at the end does not start another line.
  if (lines.at(-1) === "") lines.pop();
  const kept = lines.slice(Math.max(0, lines.length - count));
  return kept.map((line) => `${line}\n`).join("");
}
