import { clientGoQueueBehaviour } from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import { clientGoBehaviour } from "@listwatch/reflector";

/** Decisions of an informer that a preset can change. */
export interface InformerBehaviour {
  /**
   * The preset of the queue. With client-go's an object of a list that has no key, or whose
   * transform throws, fails the whole list. Without it such an object is reported and left out.
   */
  readonly queue?: Preset<"clientGoQueueBehaviour"> | undefined;
  readonly reflector?: Preset<"clientGoBehaviour"> | undefined;
  /**
   * Whether the resourceVersion that an object had before `transform` tells a change from a resync,
   * and how far the cache is. Otherwise, without resourceVersions, every update counts as a
   * resync.
   */
  readonly keepResourceVersions: boolean;
}

const defaultBehaviour: InformerBehaviour = { keepResourceVersions: true };

/** The values behind the preset `clientGoInformerBehaviour`. */
export const clientGoValues: InformerBehaviour = {
  keepResourceVersions: false,
  queue: clientGoQueueBehaviour,
  reflector: clientGoBehaviour,
};

/** @throws {InvalidOptionsError} if it is not the preset of informers */
export function resolveBehaviour(behaviour: unknown): InformerBehaviour {
  return Preset.resolve(behaviour, "clientGoInformerBehaviour", defaultBehaviour);
}
