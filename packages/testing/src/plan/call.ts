/** A request, as far as the timeline and the draws need it. */
export interface Call {
  readonly method: string;
  /** Path and, of a watch, the word `watch`; without the rest of the query. */
  readonly text: string;
  /** The resource and the object that it is about. */
  readonly place: Place;
  /** The same without namespace and name. */
  readonly kind: string;
  readonly isWatch: boolean;
  /** Whether it may change objects that other programs see. */
  readonly isWrite: boolean;
}

/** Where a request goes. */
export interface Place {
  /** Version and plural name, such as `apps/v1 deployments`; the path if it is another one. */
  readonly resource: string;
  /** `namespace/name` or `name` of an object, "" for a collection. */
  readonly key: string;
}

/** Resources whose writes say nothing about the state of the program: leases, events, questions. */
const quietPaths =
  /\/(coordination\.k8s\.io|events\.k8s\.io|authentication\.k8s\.io|authorization\.k8s\.io)\/|\/api\/v1\/(namespaces\/[^/]+\/)?events/;

/** Describes a request. */
export function callOf({ method, url }: Request): Call {
  const { pathname, searchParams } = new URL(url);
  const isWatch = isTrue(searchParams.get("watch"));
  const isDry = searchParams.has("dryRun");
  const { key, kind, place, resource } = placeOf(pathname);
  const suffix = isWatch ? " watch" : "";
  return {
    method,
    text: `${method} ${place}${suffix}`,
    place: { resource, key },
    kind: `${method} ${kind}${suffix}`,
    isWatch,
    isWrite: method !== "GET" && method !== "HEAD" && !isDry && !quietPaths.test(pathname),
  };
}

function isTrue(value: string | null): boolean {
  return value === "" || value === "1" || value === "true";
}

const resourcePath =
  /^\/(?:api\/(?<core>v\w+)|apis\/(?<group>[^/]+\/[^/]+))\/(?:namespaces\/(?<namespace>[^/]+)\/)?(?<rest>.+)$/;

/** `/apis/apps/v1/namespaces/team/deployments/web` is `apps/v1 team/deployments/web`. */
function placeOf(path: string): Place & { readonly place: string; readonly kind: string } {
  const groups = resourcePath.exec(path)?.groups;
  if (groups === undefined) return { place: path, kind: path, resource: path, key: "" };
  const { core, group, namespace, rest = "" } = groups;
  const [plural = "", name = "", subresource] = rest.split("/");
  const version = core ?? group ?? "";
  const names = subresource === undefined ? plural : `${plural}/${subresource}`;
  const place = namespace === undefined ? rest : `${namespace}/${rest}`;
  return {
    place: `${version} ${place}`,
    kind: `${version} ${names}`,
    resource: `${version} ${plural}`,
    key: namespace === undefined || name === "" ? name : `${namespace}/${name}`,
  };
}
