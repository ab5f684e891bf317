import type { Clock, Random } from "@listwatch/core-fifo/base";
import type { ResourceRegistry } from "../api/registry.ts";
import type { ResourceViews } from "../output/resource-views.ts";
import type { Storage } from "../storage/storage.ts";
import type { OpenWatches } from "./open-watches.ts";
import type { NamespaceDeletion, PodDeletion } from "../kinds/define-kind.ts";
import type { Strategies } from "../kinds/strategies.ts";
import type { WatchTranslator } from "./watch-translator.ts";

/** Choices of a server that its verbs look at. */
export interface ServerSettings {
  readonly bookmarkIntervalMs: number;
  readonly watchBufferEvents: number;
  readonly shardedListAndWatch: boolean;
  readonly namespaces: "strict" | "permissive";
  readonly namespaceDeletion: NamespaceDeletion;
  readonly podDeletion: PodDeletion;
}

/** What the verbs of one server share. */
export interface ServerCore {
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  readonly views: ResourceViews;
  readonly strategies: Strategies;
  readonly watches: OpenWatches;
  readonly translator: WatchTranslator;
  readonly clock: Clock;
  /** For uids and generated names. */
  readonly random: Random;
  /** For everything that spreads load over time. */
  readonly jitter: Random;
  readonly settings: ServerSettings;
}
