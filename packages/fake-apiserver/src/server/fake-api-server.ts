import { readObjects, readSettings } from "./settings.ts";
import type { FakeApiServerOptions } from "./options.ts";
import { consoleLog, guardLog, type Random } from "@listwatch/core-fifo/base";
import { loadOnce } from "../base/load-once.ts";
import { serverClock } from "../base/server-clock.ts";
import { ConnectionResetError } from "../control/control-errors.ts";
import type { ControlHooks, Exchange } from "../faults/control/control-hooks.ts";
import type { ServerControl } from "../control/server-control.ts";
import { createControl } from "../faults/control/create-control.ts";
import { CoreControl } from "./core-control.ts";
import { createCore } from "./create-core.ts";
import { LateControllers } from "./late-controllers.ts";
import { readControllers } from "./controller-options.ts";
import { defaultServerVersion } from "../discovery/version.ts";
import { documentResponse, setNoSniff, withAuditId } from "../output/result.ts";
import type { Documents } from "../discovery/documents.ts";
import { errorFormat, negotiate } from "../output/negotiation.ts";
import { RequestBody } from "../input/body.ts";
import { roundingWarning } from "../input/json-scanner.ts";
import { loadProtobuf } from "../protobuf/protobuf.ts";
import { parseRequestInfo, type RequestInfo, requestOf } from "../input/request-info.ts";
import { addWarnings, deprecationWarning } from "../output/warnings.ts";
import { badRequest, completeError, internalError, isStackOverflow } from "../api/errors.ts";
import { randomUuid, seededStream } from "../base/random-text.ts";
import { withinTimeout } from "./request-timeout.ts";
import { cores } from "./restore.ts";
import { storeSeeds } from "./seeds.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";
import { ApiError } from "../api/api-error.ts";
import type { Fetch } from "../api/request.ts";
import { findReview } from "../reviews/find-review.ts";
import { statusOf } from "../api/status.ts";
import { dispatchVerb } from "../verbs/dispatch.ts";

// Most programs ask for no review.
const loadReviews = loadOnce(() => import("../reviews/reviews.ts"));

/**
 * An in-memory Kubernetes API server.
 *
 * It answers as a real one does, as far as the recordings in this repository show. Deleted
 * namespaces are emptied, and dependents go with their owners, unless `namespaceDeletion` and
 * `garbageCollection` turn it off. Other controllers run only with the option `controllers`:
 * without it a Deployment gets no pods.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 *
 * const server = new FakeApiServer();
 * const url = "http://localhost/api/v1/namespaces/default/configmaps";
 * const body = JSON.stringify({ metadata: { name: "a" }, data: { key: "value" } });
 * const headers = { "content-type": "application/json" };
 * const created = await server.fetch(new Request(url, { method: "POST", headers, body }));
 * if (created.status !== 201) throw new Error(await created.text());
 * const list = await (await server.fetch(new Request(url))).json();
 * if (list.items.length !== 1) throw new Error("Expected one ConfigMap");
 * ```
 */
export class FakeApiServer {
  /** Faults, compaction, open watches, barriers, recordings: everything that clients cannot do. */
  readonly control: ServerControl;
  readonly #core: ServerCore;
  readonly #loadDocuments: () => Promise<Documents>;
  readonly #hooks: ControlHooks;
  readonly #auditIds: Random;

  /**
   * @throws {@link InvalidOptionsError} for options that cannot be used, and for the first of
   *   `crds` and `objects` that a server would refuse, such as `objects[3]`
   */
  constructor(options: FakeApiServerOptions = {}) {
    const settings = readSettings(options);
    const names = readControllers(options.controllers);
    const seeds = [
      ...readObjects("crds", options.crds),
      ...readObjects("objects", options.objects),
    ];
    const seed = options.seed ?? crypto.randomUUID();
    const created = createCore(options.clock ?? serverClock, seed, settings);
    const { collector, core, crds } = created;
    this.#core = core;
    const unevaluated = storeSeeds(created, seeds);
    const log = guardLog(options.log ?? consoleLog);
    if (unevaluated.length > 0) {
      log.warn("Parts of objects have no effect here", { objects: unevaluated });
    }
    const controllers = new LateControllers(core, { names, pods: options.pods, seed, log });
    cores.set(this, { ...created, controllers });
    // Watch caches begin with what is there when the server starts.
    for (const store of core.storage.stores()) store.raiseWatchFloor(core.storage.revision);
    const { serverVersion = defaultServerVersion } = options;
    this.#loadDocuments = loadOnce(async () => {
      const { Documents: Loaded } = await import("../discovery/documents.ts");
      return new Loaded(core.registry, serverVersion, core.tokens);
    });
    this.#auditIds = seededStream(seed, "audit");
    const parts = createControl(
      new CoreControl(core, [crds, collector, controllers], seededStream(seed, "faults")),
      core,
    );
    this.control = parts.control;
    this.#hooks = parts.hooks;
    core.storage.onRevision(() => this.#hooks.committed(core.storage.revision));
  }

  /**
   * Answers a request, given in any way that the global `fetch` takes; may be handed around without
   * its server. Whatever the request, the answer is a Response: it rejects only when a fault of the
   * server control breaks the connection, or when the request is aborted while the server waits. A
   * function of a test that throws (the condition of a fault, the route to a front end) is answered
   * with 500.
   */
  readonly fetch: Fetch = async (input, init) => {
    const request = requestOf(input, init);
    request.signal.throwIfAborted();
    const info = parseRequestInfo(request);
    try {
      const exchange = this.#hooks.begin(info);
      const intercepted = exchange.intercept();
      const replaced = intercepted === undefined ? undefined : await intercepted;
      return replaced ?? (await exchange.respond(await this.#answer(info, exchange)));
    } catch (error) {
      return await errorResponse(info, error);
    }
  };

  async #answer(info: RequestInfo, exchange: Exchange): Promise<Response> {
    const warnings: string[] = [];
    const { clock } = this.#core;
    const served = await withinTimeout(info, clock, () =>
      this.#serve(info, exchange, warnings),
    ).catch((error: unknown) => {
      if (isAbort(info, error)) exchange.abandoned();
      return errorResponse(info, error);
    });
    const response = withoutBody(info, served);
    addWarnings(response, warnings);
    const sent = info.request.headers.get("audit-id") ?? "";
    const id = sent === "" ? randomUuid(this.#auditIds) : sent;
    return withAuditId(response, id);
  }

  async #serve(info: RequestInfo, exchange: Exchange, warnings: string[]): Promise<Response> {
    const core = this.#core;
    const user = await core.access.admit(info);
    const body = new RequestBody(info.request, {
      limit: core.settings.bodyBytes,
      onText: (text) => {
        exchange.bodyRead(text);
        const warning = roundingWarning(text);
        if (warning !== undefined) warnings.push(warning);
      },
      readProtobuf: async (bytes, expected) => (await loadProtobuf()).decode(bytes, expected),
    });
    const review = findReview(info);
    if (review !== undefined) {
      const { answerReview } = await loadReviews();
      return answerReview({ core, info, user, body, warnings }, review);
    }
    const found = core.registry.find(info.group, info.version, info.resource);
    if (found === undefined) {
      const documents = await this.#loadDocuments();
      return documents.answer(info);
    }
    const { definition } = found;
    const deprecation = deprecationWarning(definition, found.served);
    if (deprecation !== undefined) warnings.push(deprecation);
    const write = {
      info,
      user,
      ...found,
      ...targetOf(core, definition),
      dryRun: info.query.has("dryRun"),
      warnings,
    };
    return dispatchVerb({
      ...write,
      core,
      exchange,
      body,
      presenter: core.views.presenter(found),
      format: negotiate(info, {
        protobuf: definition.custom ? "metadata" : "objects",
        managedFieldsOptOut: core.settings.managedFieldsOptOut,
      }),
      admission: await core.admission.begin(write),
      converter: core.conversions.of(found),
    });
  }
}

async function errorResponse(info: RequestInfo, error: unknown): Promise<Response> {
  if (error instanceof ConnectionResetError || isAbort(info, error)) throw error;
  const apiError = await completeError(error instanceof ApiError ? error : unexpectedError(error));
  const { code, details } = apiError;
  const status = statusOf(apiError);
  const response = await documentResponse(info.request, code, status, errorFormat(info));
  if (apiError.noSniff) setNoSniff(response);
  if (details?.retryAfterSeconds !== undefined) {
    response.headers.set("retry-after", String(details.retryAfterSeconds));
  }
  return response;
}

// A decoded body may still be nested too deeply for the stack of the runtime. The message is that
// of Go's encoding/json, in scanner.go.
function unexpectedError(error: unknown): ApiError {
  return error instanceof Error && isStackOverflow(error)
    ? badRequest("exceeded max depth")
    : internalError(String(error));
}

/** True if the client has gone, so that no answer arrives. */
function isAbort({ request }: RequestInfo, error: unknown): boolean {
  return request.signal.aborted && error === request.signal.reason;
}

function withoutBody(info: RequestInfo, response: Response): Response {
  if (info.method !== "HEAD") return response;
  const { headers, status } = response;
  response.body?.cancel().catch(() => {});
  return new Response(null, { headers, status });
}
