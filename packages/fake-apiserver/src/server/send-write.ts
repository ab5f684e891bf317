import type { UserInfo } from "../api/access.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { WriteRequest } from "../controllers/cluster.ts";
import { notFound } from "../api/errors.ts";
import { authenticated } from "../authentication/user-info.ts";
import type { Exchange } from "../faults/control/control-hooks.ts";
import { RequestBody } from "../input/body.ts";
import { parseRequestInfo, type RequestInfo } from "../input/request-info.ts";
import { negotiate } from "../output/negotiation.ts";
import type { Result } from "../output/result.ts";
import { runVerb } from "../verbs/dispatch.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";

// Faults are for the requests of clients.
const noFaults: Exchange = {
  intercept: () => undefined,
  bodyRead: () => {},
  watchOpened: () => null,
  respond: (response) => response,
  abandoned: () => {},
  cacheView: undefined,
  watchList: "supported",
  bookmarkIntervalMs: undefined,
};

/** A body that is in memory, which takes no turn of the event loop to read. */
class GivenBody extends RequestBody {
  readonly #text: string;

  constructor(info: RequestInfo, object: ApiObject) {
    super(info.request, {
      limit: Infinity,
      onText: () => {},
      readProtobuf: () => Promise.reject(new TypeError("Expected JSON")),
    });
    this.#text = JSON.stringify(object);
  }

  override text(): Promise<string> {
    return Promise.resolve(this.#text);
  }
}

/**
 * Runs a write as if a client had sent it: decoded, defaulted, validated and admitted, with its own
 * entry in the managed fields. It needs no rights, and no fault or recording sees it.
 *
 * @throws {ApiError} if it is refused
 */
export async function sendWrite(
  core: ServerCore,
  { manager, username }: { readonly manager: string; readonly username: string },
  write: WriteRequest,
): Promise<Response | Result> {
  const [plural = "", ...groups] = write.resource.split(".");
  const group = groups.join(".");
  const definition = core.registry.get(group, plural);
  const version = definition?.versions[0]?.name ?? "";
  const found = core.registry.find(group, version, plural);
  if (found === undefined) {
    throw notFound({ group, plural, kind: "" }, write.name);
  }
  const info = infoOf(write, group === "" ? `api/${version}` : `apis/${group}/${version}`, manager);
  const warnings: string[] = [];
  const user: UserInfo = authenticated({
    username,
    groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system"],
  });
  const request = {
    info,
    user,
    ...found,
    ...targetOf(core, found.definition),
    dryRun: false,
    warnings,
  };
  return runVerb({
    ...request,
    core,
    exchange: noFaults,
    body: new GivenBody(info, write.object),
    presenter: core.views.presenter(found),
    format: negotiate(info),
    admission: await core.admission.begin(request),
    converter: core.conversions.of(found),
  });
}

function infoOf(write: WriteRequest, root: string, manager: string): RequestInfo {
  const { method, name, namespace, resource, subresource } = write;
  const [plural = ""] = resource.split(".");
  const parts = [
    ...(namespace === "" ? [] : ["namespaces", namespace]),
    plural,
    ...[name, subresource].filter((part) => part !== ""),
  ];
  // In the address, since browsers send another user agent than the given one.
  const query = method === "DELETE" ? "" : `?fieldManager=${encodeURIComponent(manager)}`;
  const url = `http://localhost/${root}/${parts.map(encodeURIComponent).join("/")}${query}`;
  const headers = { "content-type": "application/json" };
  return parseRequestInfo(new Request(url, { method, headers }));
}
