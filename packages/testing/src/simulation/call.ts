/** A request, as far as the timeline and the draws need it. */
export interface Call {
  readonly method: string;
  /** Path and, of a watch, the word `watch`; without the rest of the query. */
  readonly text: string;
  /** The same without namespace and name. */
  readonly kind: string;
  readonly isWatch: boolean;
  /** Whether it may change objects that other programs see. */
  readonly isWrite: boolean;
}

/** Resources whose writes say nothing about the state of the program: leases, events, questions. */
const quietPaths =
  /\/(coordination\.k8s\.io|events\.k8s\.io|authentication\.k8s\.io|authorization\.k8s\.io)\/|\/api\/v1\/(namespaces\/[^/]+\/)?events/;

/** Describes a request. */
export function callOf({ method, url }: Request): Call {
  const { pathname, searchParams } = new URL(url);
  const isWatch = isTrue(searchParams.get("watch"));
  const isDry = searchParams.has("dryRun");
  const { kind, place } = placeOf(pathname);
  const suffix = isWatch ? " watch" : "";
  return {
    method,
    text: `${method} ${place}${suffix}`,
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
function placeOf(path: string): { readonly place: string; readonly kind: string } {
  const groups = resourcePath.exec(path)?.groups;
  if (groups === undefined) return { place: path, kind: path };
  const { core, group, namespace, rest = "" } = groups;
  const [resource = "", , subresource] = rest.split("/");
  const version = core ?? group ?? "";
  const names = subresource === undefined ? resource : `${resource}/${subresource}`;
  const place = namespace === undefined ? rest : `${namespace}/${rest}`;
  return { place: `${version} ${place}`, kind: `${version} ${names}` };
}
