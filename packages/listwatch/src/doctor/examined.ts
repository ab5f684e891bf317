import type { Client, ClusterConfig, Connection } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo/base";

/** The examined cluster, and its use by a program. */
export interface Examined {
  readonly config: ClusterConfig;
  /** Connection with the credentials of the configuration. */
  readonly connection: Connection;
  /** Connection without credentials, for requests that do not need them. */
  readonly anonymous: Connection;
  /** Client over the connection with credentials, without repetitions. */
  readonly client: Client;
  /** Any name of the resource. */
  readonly resource: string;
  /** `undefined` for all namespaces. */
  readonly namespace: string | undefined;
  readonly clock: Clock;
}

/** Origin of a configuration that is an address on the command line. */
export const serverOption = "--server";

/** Time limit of a response, in milliseconds. */
export const answerLimitMs = 10_000;

/** Identity of the program according to the server. */
export interface Identity {
  readonly username: string;
  readonly groups: readonly string[];
}
