import type { Transport, TransportAnswer } from "./replay.mjs";

/** A response with its decoded body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

/** Members of recorded objects. */
export interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

interface DiscoveredResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** User agent of all recorded programs. */
const userAgent = "recorder/1.0";

/** Sends a JSON body and reads the JSON response. */
export async function send(
  transport: Transport,
  method: string,
  url: string,
  body?: unknown,
  contentType = "application/json",
): Promise<Answer> {
  const headers = { accept: "application/json", "user-agent": userAgent };
  const request =
    body === undefined
      ? { method, url, headers }
      : {
          method,
          url,
          headers: { ...headers, "content-type": contentType },
          body: JSON.stringify(body),
        };
  const answer = await transport(request);
  const text = await answer.text();
  return { status: answer.status, body: parse(text), warnings: warningsOf(answer) };
}

/** Sends a request that a scenario needs before its first step. @throws if it is refused */
export async function prepare(
  transport: Transport,
  method: string,
  url: string,
  body: unknown,
): Promise<void> {
  const { status, body: answer } = await send(transport, method, url, body);
  if (status < 300) return;
  throw new Error(`${method} ${url} was answered with ${status}: ${JSON.stringify(answer)}`);
}

/** @throws if the server refuses */
export async function createNamespace(transport: Transport, name: string): Promise<void> {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await prepare(transport, "POST", "/api/v1/namespaces", namespace);
}

/** Returns the collection's path from discovery. @throws for a kind that is not served */
export async function collectionOf(
  transport: Transport,
  { apiVersion, kind }: RecordedObject,
  namespace: string,
): Promise<string> {
  const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { body } = await send(transport, "GET", base);
  const { resources = [] } = body as { readonly resources?: readonly DiscoveredResource[] };
  const found = resources.find((one) => one.kind === kind && !one.name.includes("/"));
  if (found === undefined) throw new Error(`${apiVersion} ${kind} is not served`);
  return found.namespaced
    ? `${base}/namespaces/${namespace}/${found.name}`
    : `${base}/${found.name}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

// One header line may contain several warnings.
const separator = /, (?=299 )/;

function warningsOf({ headers, rawHeaders }: TransportAnswer): readonly string[] {
  const values =
    rawHeaders === undefined
      ? [headers["warning"] ?? ""]
      : rawHeaders.filter(
          (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "warning",
        );
  return values.flatMap((value) => (value === "" ? [] : value.split(separator)));
}
