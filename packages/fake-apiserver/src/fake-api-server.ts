import { type Clock, systemClock } from "./clock.ts";
import { ConnectionResetError } from "./control/connection-reset-error.ts";
import type { ControlHooks, Exchange } from "./control/control-hooks.ts";
import type { ControlPlane } from "./control/control-plane.ts";
import { createControl } from "./control/create-control.ts";
import { CoreControl } from "./core-control.ts";
import { documentResponse } from "./http/answer.ts";
import { errorFormat, negotiate } from "./http/negotiation.ts";
import { parseRequestInfo, type RequestInfo } from "./http/request-info.ts";
import { randomFraction, seededRandom, unpredictableSeed } from "./random.ts";
import { builtinResources } from "./resources/builtin/builtin-resources.ts";
import { groupResource, ResourceRegistry } from "./resources/registry.ts";
import { ResourceViews } from "./resources/resource-views.ts";
import type { ServerCore } from "./server-core.ts";
import { ApiError } from "./status/api-error.ts";
import { internalError, unknownPath } from "./status/errors.ts";
import { statusOf } from "./status/status.ts";
import { Storage } from "./storage/storage.ts";
import { dispatchVerb } from "./verbs/dispatch.ts";
import { OpenWatches } from "./verbs/open-watches.ts";
import { WatchTranslator } from "./verbs/watch-item.ts";

/** Choices of a {@link FakeApiServer}. */
export interface FakeApiServerOptions {
  /** Where the server takes its time from. @default the clock of the machine */
  readonly clock?: Clock;
  /** Equal seeds give equal uids, generated names and other random choices. @default an unpredictable one */
  readonly seed?: number | string;
  /** Milliseconds between the periodic bookmarks of a watch. @default 60000 */
  readonly bookmarkIntervalMs?: number;
  /** Events that may wait for the reader of a watch before it is ended. @default 10000 */
  readonly watchBufferEvents?: number;
}

// k8s.io/apiserver cacher: `bookmarkFrequency`.
const defaultBookmarkIntervalMs = 60_000;
const defaultWatchBufferEvents = 10_000;

/** An in-memory Kubernetes API server. */
export class FakeApiServer {
  readonly control: ControlPlane;
  readonly #core: ServerCore;
  readonly #hooks: ControlHooks;

  constructor(options: FakeApiServerOptions = {}) {
    const seed = options.seed ?? unpredictableSeed();
    const storage = new Storage();
    const registry = new ResourceRegistry(builtinResources());
    this.#core = {
      storage,
      registry,
      views: new ResourceViews(),
      watches: new OpenWatches(),
      translator: new WatchTranslator(storage),
      clock: options.clock ?? systemClock,
      random: seededRandom(`${seed}/names`),
      jitter: seededRandom(`${seed}/jitter`),
      settings: {
        bookmarkIntervalMs: options.bookmarkIntervalMs ?? defaultBookmarkIntervalMs,
        watchBufferEvents: options.watchBufferEvents ?? defaultWatchBufferEvents,
      },
    };
    for (const definition of registry.definitions()) storage.store(groupResource(definition));
    const faults = seededRandom(`${seed}/faults`);
    const parts = createControl(new CoreControl(this.#core, () => randomFraction(faults)));
    this.control = parts.control;
    this.#hooks = parts.hooks;
    storage.onRevision(() => this.#hooks.committed(storage.revision));
  }

  /** Answers a request. Rejects only when a fault of the control plane breaks the connection. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const info = parseRequestInfo(request);
    const exchange = this.#hooks.begin(info);
    const intercepted = await exchange.intercept();
    if (intercepted !== undefined) return intercepted;
    return exchange.respond(await this.#answer(info, exchange));
  };

  async #answer(info: RequestInfo, exchange: Exchange): Promise<Response> {
    try {
      return await this.#serve(info, exchange);
    } catch (error) {
      if (error instanceof ConnectionResetError) throw error;
      const refusal = error instanceof ApiError ? error : internalError(String(error));
      return documentResponse(info.request, refusal.code, statusOf(refusal), errorFormat(info));
    }
  }

  async #serve(info: RequestInfo, exchange: Exchange): Promise<Response> {
    const core = this.#core;
    const found = core.registry.find(info.group, info.version, info.resource);
    if (found === undefined) throw unknownPath();
    const presenter = core.views.presenter(found);
    return dispatchVerb({
      core,
      info,
      exchange,
      ...found,
      presenter,
      store: core.storage.store(groupResource(found.definition)),
      format: negotiate(info),
      warnings: [],
    });
  }
}
