import type { Connection } from "@listwatch/client";
import type { Clock, KubernetesObject, Log } from "@listwatch/core-fifo";
import type { ReflectorSourceOptions, ReflectorSourceTelemetry } from "@listwatch/shared-informer";
import type { ConnectKubeConfigOptions } from "../kubeconfig/connect-kube-config.ts";
import type { Models } from "../wire/revive.ts";

/** Options of {@link makeInformer}, which `@kubernetes/client-node` does not have. */
export interface DropInOptions {
  /**
   * Where lists come from. `"function"` calls `listPromiseFn`. `"path"` lists `path` with the
   * selectors, over the connection of the watches, and never calls the function: then lists are
   * streamed, and what a relist brings unchanged is not parsed again.
   *
   * @default "function"
   */
  readonly list?: "function" | "path" | undefined;
  /** Field selector of the watches, and of lists with `list: "path"`. @default none */
  readonly fieldSelector?: string | undefined;
  /**
   * The model classes, as `import * as k8s from "@kubernetes/client-node"` has them: every object
   * becomes an instance of its class, with `Date` objects, as client-node lists them, and with
   * `apiVersion` and `kind`. Of a kind without a class the metadata alone do. Costs several times
   * the time and memory.
   *
   * @default objects are plain JSON
   */
  readonly revive?: Models | undefined;
  /**
   * Used in place of a connection made of the KubeConfig at each start; it is not closed.
   *
   * @default connectKubeConfig(kubeconfig, connect)
   */
  readonly connection?: Connection | undefined;
  /** How a connection is made of the KubeConfig. */
  readonly connect?: ConnectKubeConfigOptions | undefined;
  /** Name for reports, metrics and waits. @default the path */
  readonly name?: string | undefined;
  readonly watch?: ReflectorSourceOptions<KubernetesObject>["watch"];
  readonly retry?: ReflectorSourceOptions<KubernetesObject>["retry"];
  readonly telemetry?: Omit<ReflectorSourceTelemetry, "log"> | undefined;
  /** Takes failures for which there is no callback of `error`. @default consoleLog */
  readonly log?: Log | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}
