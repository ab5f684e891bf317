import type { ApiObject } from "../api/api-object.ts";

/** Status of a pod, or parts of it. */
export interface SimulatedPodStatus {
  /** `Pending`, `Running`, `Succeeded` or `Failed`. @default "Running" */
  readonly phase?: string | undefined;
  /** Conditions that differ; those of other types are as of a running pod. */
  readonly conditions?:
    | readonly {
        readonly type: string;
        readonly status: string;
        readonly [field: string]: unknown;
      }[]
    | undefined;
  /** Any other member of the status, such as `podIP`. */
  readonly [field: string]: unknown;
}

/**
 * Called with each pod once, when it starts. Returns what differs from a pod whose containers run
 * and are ready; `undefined` for nothing. A promise lets the pod start when it fulfils.
 */
export type PodHook = (
  pod: ApiObject,
) => SimulatedPodStatus | undefined | Promise<SimulatedPodStatus | undefined>;
