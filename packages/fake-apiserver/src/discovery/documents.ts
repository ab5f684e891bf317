import type { JsonObject } from "@listwatch/core-fifo/base";
import { aggregatedDiscoveryType, aggregatedDiscoveryDocument } from "./aggregated.ts";
import { healthAnswer } from "./health.ts";
import {
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
} from "./legacy.ts";
import { openApiDocuments, openApiIndex, type OpenApiDocument } from "./openapi.ts";
import { rootPathsDocument } from "./root-paths.ts";
import { sha256Hex } from "./sha256.ts";
import { versionDocument } from "./version.ts";
import type { ResourceRegistry } from "../api/registry.ts";
import {
  commonHeaders,
  documentResponse,
  noSniff,
  plainTextType,
  textNotFound,
} from "../output/result.ts";
import { compress } from "../output/compression.ts";
import { negotiate, parseAccept } from "../output/negotiation.ts";
import type { RequestInfo } from "../input/request-info.ts";

const openApiPrefix = "/openapi/v3/";
// k8s.io/kube-openapi handler3: a year.
const immutableHeaders = {
  "cache-control": "public, immutable",
  expires: "Fri, 31 Dec 2100 00:00:00 GMT",
};

/** Answers everything that is no resource: discovery, OpenAPI, version, health, and unknown paths. */
export class Documents {
  readonly #registry: ResourceRegistry;
  readonly #serverVersion: string;
  #openApi:
    | { readonly version: number; readonly documents: ReadonlyMap<string, OpenApiDocument> }
    | undefined;

  constructor(registry: ResourceRegistry, serverVersion: string) {
    this.#registry = registry;
    this.#serverVersion = serverVersion;
  }

  /** The answer for a path that names no resource the server has. */
  answer(info: RequestInfo): Response {
    const found = this.#find(info);
    if (found !== undefined) return found;
    // Below the groups only the handler of custom resources is left, and it answers in plain text.
    if (info.path.startsWith("/apis/")) return textNotFound(info.request);
    const document = rootPathsDocument(this.#registry.definitions());
    const code = info.path === "/" ? 200 : 404;
    return documentResponse(info.request, code, document, negotiate(info));
  }

  #find(info: RequestInfo): Response | undefined {
    if (info.path === "/openapi/v3") return this.#document(info, openApiIndex(this.#documents()));
    if (info.path.startsWith(openApiPrefix)) return this.#openApiDocument(info);
    if (info.path === "/version" || info.path === "/version/") {
      return this.#document(info, versionDocument(this.#serverVersion));
    }
    return healthResponse(info) ?? this.#discovery(info);
  }

  #discovery(info: RequestInfo): Response | undefined {
    const [root, ...rest] = info.path.split("/").filter((segment) => segment !== "");
    if (root !== "api" && root !== "apis") return undefined;
    const definitions = this.#registry.definitions();
    if (rest.length === 0) {
      if (wantsAggregated(info)) return this.#aggregated(info, `/${root}`);
      const document =
        root === "api"
          ? apiVersionsDocument(new URL(info.request.url).host)
          : apiGroupListDocument(definitions);
      return this.#document(info, document);
    }
    const [group = "", version, more] = root === "api" ? ["", ...rest] : rest;
    if (more !== undefined) return undefined;
    const document =
      version === undefined
        ? apiGroupDocument(definitions, group)
        : apiResourceListDocument(definitions, group, version);
    return document && this.#document(info, document);
  }

  #document(info: RequestInfo, document: JsonObject): Response {
    return documentResponse(info.request, 200, document, negotiate(info));
  }

  #aggregated(info: RequestInfo, path: "/api" | "/apis"): Response {
    const text = JSON.stringify(aggregatedDiscoveryDocument(this.#registry.definitions(), path));
    const etag = `"${sha256Hex(text)}"`;
    const headers = { "cache-control": "public", etag, vary: "Accept" };
    if (info.request.headers.get("if-none-match") === etag) {
      return new Response(null, { status: 304, headers });
    }
    const response = new Response(text, {
      headers: { ...headers, "content-type": aggregatedDiscoveryType },
    });
    return compress(info.request, response, text.length);
  }

  #openApiDocument(info: RequestInfo): Response | undefined {
    const path = info.path.slice(openApiPrefix.length);
    const document = this.#documents().get(path);
    if (document === undefined) return undefined;
    const hash = info.query.get("hash");
    if (hash !== null && hash !== document.hash) {
      const location = `${openApiPrefix}${path}?hash=${document.hash}`;
      return new Response(null, { status: 301, headers: { location } });
    }
    const headers = {
      ...commonHeaders,
      ...(hash === null ? {} : immutableHeaders),
      "content-type": "application/json",
      etag: `"${document.hash}"`,
      vary: "Accept",
    };
    return compress(info.request, new Response(document.json, { headers }), document.json.length);
  }

  #documents(): ReadonlyMap<string, OpenApiDocument> {
    const { version } = this.#registry;
    if (this.#openApi?.version !== version) {
      const documents = openApiDocuments(this.#registry.definitions());
      this.#openApi = { version, documents };
    }
    return this.#openApi.documents;
  }
}

function healthResponse(info: RequestInfo): Response | undefined {
  const health = healthAnswer(info.path, info.query);
  if (health === undefined) return undefined;
  const headers = { "content-type": plainTextType, ...(health.nosniff ? noSniff : {}) };
  return new Response(health.text, {
    status: health.status,
    headers: { ...commonHeaders, ...headers },
  });
}

function wantsAggregated(info: RequestInfo): boolean {
  for (const { mediaType, parameters } of parseAccept(info.request.headers.get("accept") ?? "")) {
    const group = parameters.get("g");
    if (group === undefined && (mediaType === "application/json" || mediaType === "*/*"))
      return false;
    const asked =
      group === "apidiscovery.k8s.io" && parameters.get("as") === "APIGroupDiscoveryList";
    if (asked && mediaType === "application/json" && parameters.get("v") === "v2") return true;
  }
  return false;
}
