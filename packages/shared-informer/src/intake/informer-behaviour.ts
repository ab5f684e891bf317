import type { Cached, KubernetesObject, RealFIFO, RealFIFOOptions } from "@listwatch/core-fifo";
import { Preset, type OptionCheck } from "@listwatch/core-fifo/base";
import { clientGoBehaviour } from "@listwatch/reflector";
import { isSameContent } from "../cache/same-content.ts";
import type { ResyncOptions } from "../delivery/shared-processor.ts";
import { ClientGoQueue, GatedQueue } from "./gated-queue.ts";
import type { ObjectGate } from "./object-gate.ts";

/** Parts of an informer that a preset chooses. */
export interface InformerBehaviour {
  /** Creates the queue that the reflector writes to. */
  readonly createQueue: <T extends KubernetesObject>(
    gate: ObjectGate<T>,
    options: RealFIFOOptions<T>,
  ) => RealFIFO<T>;
  readonly reflector?: Preset<"clientGoBehaviour"> | undefined;
  /**
   * Whether two states with one resourceVersion are the same, and a cache keeps the held one.
   * `undefined` if the version decides, and a cache replaces every object.
   */
  readonly isSameContent: ((held: Cached<unknown>, object: unknown) => boolean) | undefined;
  /** Whether objects that cannot be used are left out, so that handlers do not know them. */
  readonly leavesOut: boolean;
  /** Default of `cache.detectRecreate`. */
  readonly detectRecreate: boolean;
  /** Whether resyncs of a slow handler pile up. */
  readonly resync: ResyncOptions;
}

const defaultBehaviour: InformerBehaviour = {
  createQueue: (gate, options) => new GatedQueue(gate, options),
  detectRecreate: true,
  isSameContent,
  leavesOut: true,
  resync: { whileWaiting: false },
};

/** The values behind the preset `clientGoInformerBehaviour`. */
export const clientGoValues: InformerBehaviour = {
  createQueue: (gate, options) => new ClientGoQueue(gate, options),
  detectRecreate: false,
  // Present, because a preset is put over the defaults.
  isSameContent: undefined,
  leavesOut: false,
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
