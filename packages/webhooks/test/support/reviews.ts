import type { JsonPatch } from "@listwatch/client";

/** A handler as a server sees it. */
type Handle = (request: Request) => Promise<Response>;

/** An AdmissionResponse, with its patch decoded. */
export interface Answer {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: object;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: object;
  readonly patchType?: string;
  readonly patch?: JsonPatch;
}

/** A request as an API server makes it for a create of a deployment. */
export const deploymentCreate = {
  uid: "705ab4f5",
  kind: { group: "apps", version: "v1", kind: "Deployment" },
  resource: { group: "apps", version: "v1", resource: "deployments" },
  requestKind: { group: "apps", version: "v1", kind: "Deployment" },
  requestResource: { group: "apps", version: "v1", resource: "deployments" },
  name: "web",
  namespace: "shop",
  operation: "CREATE",
  userInfo: { username: "ann", groups: ["system:authenticated"] },
  object: {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop" },
    spec: { replicas: 3, selector: {}, template: { spec: { containers: [] } } },
  },
  oldObject: null,
  dryRun: false,
  options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
};

export function requestOf(body: unknown, path = "/?timeout=10s"): Request {
  return new Request(`https://webhooks.operators.svc${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export function admissionReview(request: object): object {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
}

/** Sends a review, and returns the response of its answer. */
export async function review(handle: Handle, request: object, path?: string): Promise<Answer> {
  const answer = await handle(requestOf(admissionReview(request), path));
  const { apiVersion, kind, response } = (await answer.json()) as {
    readonly apiVersion: string;
    readonly kind: string;
    readonly response: Omit<Answer, "patch"> & { readonly patch?: string };
  };
  if (answer.status !== 200 || kind !== "AdmissionReview" || apiVersion !== "admission.k8s.io/v1") {
    throw new Error(`expected an AdmissionReview, got ${answer.status} ${apiVersion} ${kind}`);
  }
  const { patch, ...rest } = response;
  return patch === undefined ? rest : { ...rest, patch: decode(patch) };
}

function decode(patch: string): JsonPatch {
  const bytes = Uint8Array.from(atob(patch), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as JsonPatch;
}

/** Sends anything, and returns the status code and message of the answer. */
export async function refusal(handle: Handle, request: Request): Promise<[number, string]> {
  const answer = await handle(request);
  const { message } = (await answer.json()) as { readonly message: string };
  return [answer.status, message];
}
