import type { Connection } from "@listwatch/client";
import type { Clock, KubernetesObject, Log } from "@listwatch/core-fifo";
import { reflectorGroups } from "@listwatch/reflector/base";
import type { ReflectorSourceOptions, ReflectorSourceTelemetry } from "@listwatch/shared-informer";
import { connectTable, type ConnectKubeConfigOptions } from "../kubeconfig/connect-kube-config.ts";
import type { Models } from "../wire/revive.ts";
import {
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aString,
  aTraceSink,
  having,
  oneOf,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Options of {@link makeInformer}, which `@kubernetes/client-node` does not have. */
export interface DropInOptions {
  /**
   * The source of lists. `"function"` calls `listPromiseFn`. `"path"` lists `path` with the
   * selectors over the connection of the watches, and never calls the function. Such lists are
   * streamed, and a relist does not parse unchanged objects again.
   *
   * @default "function"
   */
  readonly list?: "function" | "path" | undefined;
  /** Field selector of the watches, and of lists with `list: "path"`. @default none */
  readonly fieldSelector?: string | undefined;
  /**
   * The model classes, as exported by `import * as k8s from "@kubernetes/client-node"`. Every
   * object becomes an instance of its class, with `Date` objects as in client-node's lists, and
   * with `apiVersion` and `kind`. For a kind without a class only the metadata is converted. Costs
   * several times the time and memory.
   *
   * @default objects are plain JSON
   */
  readonly revive?: Models | undefined;
  /**
   * Replaces the connection that each start makes from the KubeConfig. It is not closed.
   *
   * @default connectKubeConfig(kubeconfig, connect)
   */
  readonly connection?: Connection | undefined;
  /** Options for the connection made from the KubeConfig. @default {} */
  readonly connect?: ConnectKubeConfigOptions | undefined;
  /** Name for reports, metrics and waits. @default the path */
  readonly name?: string | undefined;
  /**
   * Limits and behaviour of watches, as for an informer of `@listwatch/shared-informer`.
   *
   * @default {}
   */
  readonly watch?: ReflectorSourceOptions<KubernetesObject>["watch"];
  /** Delays after failures, as for an informer of `@listwatch/shared-informer`. @default {} */
  readonly retry?: ReflectorSourceOptions<KubernetesObject>["retry"];
  /** Metrics and traces of the informer. Its log is the option `log`. @default {} */
  readonly telemetry?: Omit<ReflectorSourceTelemetry, "log"> | undefined;
  /** Receives failures when no `error` callback is registered. @default consoleLog */
  readonly log?: Log | undefined;
  /** Clock for delays, time limits and the connection. @default systemClock */
  readonly clock?: Clock | undefined;
}

/** Checks of {@link DropInOptions}. */
export const dropInTable: OptionsOf<DropInOptions> = {
  list: oneOf("function", "path"),
  fieldSelector: aString,
  revive: having("V1ObjectMeta"),
  connection: having("fetch"),
  connect: connectTable,
  name: aString,
  watch: reflectorGroups.watch,
  retry: reflectorGroups.retry,
  telemetry: { metrics: aMetricsSink, traces: aTraceSink, onTrace: aFunction },
  log: aLog,
  clock: aClock,
};
