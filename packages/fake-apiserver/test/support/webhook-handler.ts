import {
  type ApiObject,
  FakeApiServer,
  type FakeApiServerOptions,
} from "@listwatch/fake-apiserver";
import { ApiClient, type Json } from "./api-client.ts";

/** A request that a webhook has received. */
export interface ReceivedCall {
  readonly url: string;
  readonly review: Json;
  readonly headers: Headers;
}

/** The parts of an answer; the uid is that of the request unless it is given. */
export type Answer = Readonly<Record<string, unknown>>;

/** Decides the answer to a call: the `response` of the review, or a whole answer. */
export type Handler = (call: ReceivedCall) => Answer | Response | Promise<Answer | Response>;

/** A handler of webhooks that records its calls. */
export class WebhookHandler {
  readonly calls: ReceivedCall[] = [];
  readonly #handle: Handler;

  constructor(handle: Handler = () => ({ allowed: true })) {
    this.#handle = handle;
  }

  /** The requests of the reviews. */
  get requests(): readonly Json[] {
    return this.calls.map(({ review }) => review["request"] as Json);
  }

  /** Paths and operations of the calls, in their order. */
  get log(): readonly string[] {
    return this.calls.map(({ review, url }) => {
      const { operation } = review["request"] as { operation: string };
      return `${new URL(url).pathname} ${operation}`;
    });
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const review = JSON.parse(await request.text()) as Json;
    const call = { url: request.url, review, headers: request.headers };
    this.calls.push(call);
    const answer = await this.#handle(call);
    if (answer instanceof Response) return answer;
    const { apiVersion, kind, request: asked } = review as Json & { request: Json };
    const response = { uid: asked["uid"] as string, ...answer };
    return Response.json({ apiVersion: apiVersion as string, kind: kind as string, response });
  };
}

/** A patch in the form of an answer. */
export function patchAnswer(patch: readonly object[]): Answer {
  return { allowed: true, patchType: "JSONPatch", patch: btoa(JSON.stringify(patch)) };
}

/** A webhook that reviews all writes of ConfigMaps, with some members changed. */
export function webhook(name: string, changes: Readonly<Record<string, unknown>> = {}): object {
  return {
    name: `${name}.example.com`,
    clientConfig: { url: `https://hooks.example.com/${name}` },
    rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...changes,
  };
}

/** A stored configuration of webhooks. */
export function configuration(
  type: "Mutating" | "Validating",
  name: string,
  ...webhooks: readonly object[]
): ApiObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${type}WebhookConfiguration`,
    metadata: { name },
    webhooks,
  };
}

/** A client of a server that calls a handler, with configurations stored from the start. */
export function clientWith(
  handler: WebhookHandler,
  objects: readonly ApiObject[],
  options: FakeApiServerOptions = {},
): ApiClient {
  const { fetch } = handler;
  return new ApiClient(new FakeApiServer({ seed: 1, webhooks: { fetch }, objects, ...options }));
}
