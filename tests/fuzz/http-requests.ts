import * as fc from "fast-check";
import { anyText } from "./anything.ts";
import { randomBody, json } from "./http-bodies.ts";
import { patches, places } from "./http-samples.ts";
import { change, mistake } from "./mistakes.ts";

/** A request as plain JSON. Each character of the body is one byte. */
export interface HttpRequest {
  readonly method: string;
  /** A path with its query. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

const segment = fc.oneof(
  { weight: 3, arbitrary: anyText.map(encodeURIComponentSafely) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      ..."api apis v1 apps namespaces default pods a status scale log binding eviction watch".split(
        " ",
      ),
      ..."openapi v3 v2 version healthz readyz metrics __proto__ constructor toString".split(" "),
      ..."%2e%2e %2F %00 %zz %ff . .. * ; : example.com things deployments finalize".split(" "),
    ),
  },
);

const groups = [
  ["/api/v1", "pods", "configmaps", "services", "secrets", "nodes", "namespaces", "events"],
  ["/apis/apps/v1", "deployments", "replicasets"],
  ["/apis/batch/v1", "cronjobs", "jobs"],
  ["/apis/coordination.k8s.io/v1", "leases"],
  ["/apis/apiextensions.k8s.io/v1", "customresourcedefinitions"],
  ["/apis/example.com/v1", "things", "gadgets"],
] as const;

const resourcePath = fc
  .tuple(
    fc.constantFrom(...groups),
    fc.nat(6),
    fc.constantFrom(
      "/namespaces/default",
      "/namespaces/default",
      "/namespaces/other",
      "",
      "/watch",
    ),
    fc.constantFrom("", "", "/a", "/a", "/b", "/things.example.com", "/default"),
    fc.constantFrom("", "", "", "/status", "/scale", "/binding", "/eviction", "/finalize", "/log"),
  )
  .map(([[root, ...served], which, namespace, name, subresource]) => {
    const resource = served[which % served.length] ?? "";
    const isGlobal = /^(?:nodes|namespaces|customres)/.test(resource);
    return `${root}${isGlobal ? "" : namespace}/${resource}${name}${name === "" ? "" : subresource}`;
  });

const path = fc.oneof(
  { weight: 8, arbitrary: resourcePath },
  {
    weight: 2,
    arbitrary: fc.array(segment, { maxLength: 7 }).map((parts) => `/${parts.join("/")}`),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(resourcePath, segment, fc.nat(8)).map(([text, part, at]) =>
      text
        .split("/")
        .toSpliced(at + 1, 1, part)
        .join("/"),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ..."/ /api /apis /apis/apps /apis/apps/v1 /api/v1 /version /openapi/v3 /openapi/v2".split(
        " ",
      ),
      ..."/openapi/v3/apis/apps/v1 /healthz /livez/ping /readyz?verbose /metrics /__control/".split(
        " ",
      ),
      ..."//api//v1//pods /api/v1/namespaces/default/pods/ /apis/example.com/v1 /logs/".split(" "),
    ),
  },
);

const queryNames =
  "watch limit continue resourceVersion resourceVersionMatch sendInitialEvents timeoutSeconds " +
  "allowWatchBookmarks labelSelector fieldSelector dryRun fieldManager fieldValidation force " +
  "propagationPolicy gracePeriodSeconds orphanDependents pretty timeout shardSelector verbose " +
  "exclude includeObject __proto__";
const queryValue = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "1",
    "true",
    "false",
    "All",
    "Strict",
    "Ignore",
    "Exact",
    "NotOlderThan",
  ),
  fc.constantFrom(
    "-1",
    "1e9",
    "99999999999999999999",
    "NaN",
    "Foreground",
    "Orphan",
    "a=b",
    "a!=b",
  ),
  fc.constantFrom(
    "metadata.name=a",
    "spec.nodeName=n",
    "status.phase!=Running",
    "a in (b,c),!d",
    "a in (",
  ),
  fc.constantFrom(
    "shardRange(object.metadata.uid, '0x0', '0x8')",
    "eyJ2IjoibWV0YSJ9",
    "Metadata",
    "None",
  ),
  anyText,
);
const query = fc
  .array(fc.tuple(fc.constantFrom(...queryNames.split(" ")), queryValue), { maxLength: 4 })
  .map((pairs) =>
    pairs.map(([name, value]) => `${name}=${encodeURIComponentSafely(value)}`).join("&"),
  );

const mediaTypes = [
  "application/json",
  "application/yaml",
  "application/cbor",
  "application/vnd.kubernetes.protobuf",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json",
  "application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io",
  "application/json;stream=watch",
  "application/json; charset=utf-16; =;;",
  "text/html, */*;q=0.1",
  "*/*;q=x",
  ";",
  "",
];
const headers = fc
  .tuple(
    fc.option(fc.constantFrom(...mediaTypes), { freq: 1 }),
    fc.option(fc.constantFrom(...mediaTypes), { freq: 3 }),
    fc.array(
      fc.constantFrom<readonly [string, string]>(
        ["Accept-Encoding", "gzip"],
        ["Accept-Encoding", "identity;q=0, br"],
        ["Content-Encoding", "gzip"],
        ["User-Agent", "x".repeat(300)],
        ["User-Agent", "/"],
        ["If-None-Match", "*"],
        ["Impersonate-User", "a"],
        ["Connection", "Upgrade"],
        ["X-Remote-User", "\u00ff"],
        ["Range", "bytes=0-1"],
        ["Expect", "100-continue"],
      ),
      { maxLength: 2 },
    ),
  )
  .map(([accept, contentType, others]) => {
    const lines: (readonly [string, string])[] = [];
    if (accept !== null) lines.push(["Accept", accept]);
    if (contentType !== null) lines.push(["Content-Type", contentType]);
    return lines.concat(others);
  });

const method = fc.constantFrom(
  ..."GET GET GET POST POST POST PUT PATCH PATCH PATCH DELETE DELETE HEAD OPTIONS QUERY x".split(
    " ",
  ),
);

/** Any request. A server rejects most of them early. */
const anyRequest: fc.Arbitrary<HttpRequest> = fc
  .record({ method, path, query, headers, body: randomBody })
  .map(({ method: verb, path: to, query: asked, headers: lines, body: sent }) => ({
    method: verb,
    target: asked === "" ? to : `${to}?${asked}`,
    headers: lines,
    body: sent,
  }));

const patchTypes = ["json-patch+json", "merge-patch+json", "strategic-merge-patch+json"] as const;
const mistakes = fc.array(mistake, { maxLength: 2 });

/** A request with matching path, method and media type. The body has at most a few mistakes. */
const fittingRequest: fc.Arbitrary<HttpRequest> = fc
  .record({
    place: fc.constantFrom(...places),
    method: fc.constantFrom("POST", "POST", "PUT", "PATCH", "PATCH", "APPLY", "DELETE", "GET"),
    patch: fc.constantFrom(...patches),
    patchType: fc.constantFrom(...patchTypes),
    mistakes,
    query,
  })
  .map(
    ({
      place: [collection, object],
      method: verb,
      patch,
      patchType,
      mistakes: wrong,
      query: asked,
    }) => {
      const type = verb === "APPLY" ? "apply-patch+yaml" : verb === "PATCH" ? patchType : "json";
      const value = verb === "PATCH" ? patch : verb === "DELETE" ? {} : object;
      const to = verb === "POST" ? collection : `${collection}/a`;
      return {
        method: verb === "APPLY" ? "PATCH" : verb,
        target: `${to}?fieldManager=m${asked === "" ? "" : `&${asked}`}`,
        headers: [["Content-Type", `application/${type}`] as const],
        body: json(wrong.reduce<unknown>(change, value)),
      };
    },
  );

/** A request: valid ones with mistakes, and random ones. */
export const httpRequest: fc.Arbitrary<HttpRequest> = fc.oneof(anyRequest, fittingRequest);

/** A lone surrogate has no encoding. */
function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
