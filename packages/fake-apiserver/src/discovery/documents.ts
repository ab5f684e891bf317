import { inRealTime, type JsonObject } from "@listwatch/core-fifo/base";
import {
  issuerConfiguration,
  type ServiceAccountTokens,
} from "../authentication/service-account-token.ts";
import { aggregatedDiscoveryType, aggregatedDiscoveryDocument } from "./aggregated.ts";
import type { OpenApiDocument } from "./openapi.ts";
import { healthAnswer } from "./health.ts";
import {
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
  rootPathsDocument,
} from "./legacy.ts";
import { sha256Hex } from "./sha256.ts";
import { versionDocument } from "./version.ts";
import type { ResourceRegistry } from "../api/registry.ts";
import { methodNotAllowed, unknownPath } from "../api/errors.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { reviewDefinitions } from "../kinds/reviews.ts";
import {
  commonHeaders,
  documentResponse,
  noSniff,
  plainTextType,
  textNotFound,
  textResponse,
} from "../output/result.ts";
import { compress } from "../output/compression.ts";
import {
  assertRoutable,
  negotiate,
  parseAccept,
  type ProtobufForms,
} from "../output/negotiation.ts";
import { pathSegments, type RequestInfo } from "../input/request-info.ts";

const openApiPrefix = "/openapi/v3/";
const keysType = "application/jwk-set+json";
// k8s.io/kube-openapi handler3: a year.
const immutableHeaders = {
  "cache-control": "public, immutable",
  expires: "Fri, 31 Dec 2100 00:00:00 GMT",
};

type Answer = Response | Promise<Response | undefined>;

/** Serves all paths other than resources: discovery, OpenAPI, version, health, and unknown paths. */
export class Documents {
  readonly #registry: ResourceRegistry;
  readonly #serverVersion: string;
  readonly #tokens: Pick<ServiceAccountTokens, "publicKeys">;
  #openApi:
    | { readonly version: number; readonly documents: ReadonlyMap<string, OpenApiDocument> }
    | undefined;

  constructor(
    registry: ResourceRegistry,
    serverVersion: string,
    tokens: Pick<ServiceAccountTokens, "publicKeys">,
  ) {
    this.#registry = registry;
    this.#tokens = tokens;
    this.#serverVersion = serverVersion;
  }

  /** Answers a request for a path without a resource. */
  async answer(info: RequestInfo): Promise<Response> {
    const found = await this.#find(info);
    if (found !== undefined) return found;
    if (this.#isOfBuiltinGroup(info.path)) throw unknownPath();
    if (info.path !== "/") return textNotFound(info.request);
    const document = rootPathsDocument(this.#definitions());
    return documentResponse(info.request, 200, document, negotiate(info, { protobuf: "none" }));
  }

  #isOfBuiltinGroup(path: string): boolean {
    const [, root, group] = path.split("/");
    if (root !== "apis") return root === "api" || root === "version";
    return group !== "" && this.#definitions().some((one) => !one.custom && one.group === group);
  }

  #find(info: RequestInfo): Answer | undefined {
    if (info.path === "/openapi/v2") return this.#openApiV2(info);
    if (info.path === "/openapi/v3") return this.#openApiIndex(info);
    if (info.path.startsWith(openApiPrefix)) return this.#openApiDocument(info);
    if (info.path === "/version" || info.path === "/version/") {
      assertRoute(info, "application/json");
      return this.#document(info, versionDocument(this.#serverVersion), "none");
    }
    if (info.path === "/.well-known/openid-configuration") {
      assertRoute(info, "application/json");
      const { origin } = new URL(info.request.url);
      return issuerResponse("application/json", issuerConfiguration(origin));
    }
    if (info.path === "/openid/v1/jwks") {
      assertRoute(info, keysType);
      return this.#publicKeys();
    }
    return healthResponse(info) ?? this.#discovery(info);
  }

  async #publicKeys(): Promise<Response> {
    return issuerResponse(keysType, await this.#tokens.publicKeys());
  }

  #discovery(info: RequestInfo): Answer | undefined {
    const [root, ...rest] = pathSegments(info.path) ?? [];
    if (root !== "api" && root !== "apis") return undefined;
    const definitions = this.#definitions();
    if (rest.length === 0) {
      if (root === "api") assertRoute(info);
      if (wantsAggregated(info)) return this.#aggregated(info, `/${root}`);
      const document =
        root === "api"
          ? apiVersionsDocument(new URL(info.request.url).host)
          : apiGroupListDocument(definitions);
      return this.#document(info, document);
    }
    const [group = "", version, more] = root === "api" ? ["", ...rest] : rest;
    if (more !== undefined) return undefined;
    if (version !== undefined && this.#isOfBuiltinGroup(info.path)) assertRoute(info);
    const document =
      version === undefined
        ? apiGroupDocument(definitions, group)
        : apiResourceListDocument(definitions, group, version);
    return document && this.#document(info, document);
  }

  #document(
    info: RequestInfo,
    document: JsonObject,
    protobuf: ProtobufForms = "objects",
  ): Promise<Response> {
    return documentResponse(info.request, 200, document, negotiate(info, { protobuf }));
  }

  #aggregated(info: RequestInfo, path: "/api" | "/apis"): Response {
    const text = JSON.stringify(aggregatedDiscoveryDocument(this.#definitions(), path));
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

  async #openApiIndex(info: RequestInfo): Promise<Response> {
    const { openApiIndex } = await inRealTime(import("./openapi.ts"));
    const index = openApiIndex(await this.#documents());
    return textResponse(info.request, 200, plainTextType, `${JSON.stringify(index)}\n`);
  }

  async #openApiDocument(info: RequestInfo): Promise<Response> {
    const path = info.path.slice(openApiPrefix.length);
    const document = (await this.#documents()).get(path);
    if (document === undefined) return new Response(null, { status: 404, headers: commonHeaders });
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

  async #openApiV2(info: RequestInfo): Promise<Response> {
    const { acceptsOpenApiV2Protobuf, encodeOpenApiV2, openApiV2Document, openApiV2ProtobufType } =
      await inRealTime(import("./openapi-v2.ts"));
    const { loadOpenApiParts } = await inRealTime(import("./openapi.ts"));
    const documents = await this.#documents();
    const document = openApiV2Document(documents.values(), await loadOpenApiParts());
    const isProtobuf = acceptsOpenApiV2Protobuf(info.request.headers.get("accept"));
    const body = isProtobuf ? encodeOpenApiV2(document) : JSON.stringify(document);
    const contentType = isProtobuf ? openApiV2ProtobufType : "application/json";
    const headers = { ...commonHeaders, "content-type": contentType, vary: "Accept" };
    return compress(info.request, new Response(body, { headers }), body.length);
  }

  #definitions(): readonly ResourceDefinition[] {
    return [...this.#registry.definitions(), ...reviewDefinitions];
  }

  async #documents(): Promise<ReadonlyMap<string, OpenApiDocument>> {
    const { loadOpenApiParts, openApiDocuments } = await inRealTime(import("./openapi.ts"));
    const builtin = await loadOpenApiParts();
    const { version } = this.#registry;
    if (this.#openApi?.version !== version) {
      const documents = openApiDocuments(this.#definitions(), builtin);
      this.#openApi = { version, documents };
    }
    return this.#openApi.documents;
  }
}

// Routes check the method and media types; other paths here accept all.
function assertRoute(info: RequestInfo, mediaType?: string): void {
  if (info.method !== "GET") throw methodNotAllowed();
  if (mediaType !== undefined) assertRoutable(info, [mediaType]);
}

// k8s.io/kubernetes pkg/routes/openidmetadata.go: an hour.
function issuerResponse(contentType: string, document: JsonObject): Response {
  const headers = { "cache-control": "public, max-age=3600", "content-type": contentType };
  return new Response(JSON.stringify(document), { headers });
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
