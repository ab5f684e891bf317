import { clientGoQueueBehaviour } from "@listwatch/core-fifo";
import { Preset, type OptionCheck } from "@listwatch/core-fifo/base";
import { clientGoBehaviour } from "@listwatch/reflector";
import type { ResyncOptions } from "../delivery/shared-processor.ts";

/** Behaviour of an informer that a preset can change. */
export interface InformerBehaviour {
  /**
   * Preset of the queue. With that of client-go, an object of a list without a key, or whose
   * transform throws, fails the whole list. Otherwise such an object is reported and skipped.
   */
  readonly queue?: Preset<"clientGoQueueBehaviour"> | undefined;
  readonly reflector?: Preset<"clientGoBehaviour"> | undefined;
  /**
   * Whether the resourceVersion before `transform` distinguishes a change from a resync, and
   * determines how complete the cache is. Otherwise every update without resourceVersions is a
   * resync.
   */
  readonly keepResourceVersions: boolean;
  /** Default of `cache.detectRecreate`. */
  readonly detectRecreate: boolean;
  /** Whether resyncs of a slow handler pile up. */
  readonly resync: ResyncOptions;
}

const defaultBehaviour: InformerBehaviour = {
  detectRecreate: true,
  keepResourceVersions: true,
  resync: { whileWaiting: false },
};

/** The values behind the preset `clientGoInformerBehaviour`. */
export const clientGoValues: InformerBehaviour = {
  detectRecreate: false,
  keepResourceVersions: false,
  queue: clientGoQueueBehaviour,
  reflector: clientGoBehaviour,
  resync: { whileWaiting: true },
};

const presetName = "clientGoInformerBehaviour";

/** Checks that an option is the preset of informers. */
export const aBehaviour: OptionCheck = (value) =>
  value instanceof Preset && value.name === presetName ? undefined : presetName;

/** @throws {InvalidOptionsError} if it is not the preset of informers */
export function resolveBehaviour(behaviour: unknown): InformerBehaviour {
  return Preset.resolve(behaviour, presetName, defaultBehaviour);
}
