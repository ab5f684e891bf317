import type { ApiObject } from "../api/api-object.ts";

/**
 * Sets what real pods get from their nodes: their logs. Pods without a node have none.
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
export interface PodControl {
  /** Takes the logs from a function, in place of an earlier one. Without a call, logs are empty. */
  log(source: PodLogSource): void;
  /**
   * Fixes the log of a container. Only the option `tailLines` counts for it, and the function of
   * {@link log} is not called.
   *
   * @param text whole log, with a line break after each line
   */
  setLog(container: LoggedContainer, text: string): void;
}

/** A container whose log is fixed. */
export interface LoggedContainer {
  /** Namespace of the pod. @default "default" */
  readonly namespace?: string | undefined;
  /** Name of the pod. It need not exist yet. */
  readonly name: string;
  /** Name of the container. @default every container of the pod */
  readonly container?: string | undefined;
}

/** Called for each request for a log; returns it as the options want it. */
export type PodLogSource = (request: PodLogRequest) => PodLog | Promise<PodLog>;

/** A log: a string, or a stream if it goes on. */
export type PodLog = string | ReadableStream<Uint8Array>;

/** A request for the log of a container. */
export interface PodLogRequest {
  /** Pod as it is stored. */
  readonly pod: ApiObject;
  /** Name of the container. */
  readonly container: string;
  /** Options of the request. */
  readonly options: PodLogOptions;
  /** Aborted when the client no longer reads. */
  readonly signal: AbortSignal;
}

/** The options of a log in the query. Numbers that the client leaves out are missing. */
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
  /** Number of lines, counted from the end. */
  readonly tailLines?: number | undefined;
  /** Maximum number of bytes. */
  readonly limitBytes?: number | undefined;
}
