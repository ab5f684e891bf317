import type { Client, ClusterConfig, Connection } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo/base";

/** The cluster that is examined, and how a program would use it. */
export interface Examined {
  readonly config: ClusterConfig;
  /** With the credentials of the configuration. */
  readonly connection: Connection;
  /** Without any, for questions whose answers do not depend on them. */
  readonly anonymous: Connection;
  /** Of the connection with credentials; repeats nothing. */
  readonly client: Client;
  /** The resource by any of its names. */
  readonly resource: string;
  /** `undefined` for all namespaces. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
}

/** The origin of a configuration that is an address on the command line. */
export const serverOption = "--server";

/** Milliseconds after which an answer is not waited for any more. */
export const answerLimitMs = 10_000;

/** Whom the server takes the program for. */
export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}
