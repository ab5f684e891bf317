import * as fc from "fast-check";
import { Collection, createClient, createConnection, isDeleted, waitFor } from "@listwatch/client";
import { anyText } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

/** Calls for a subresource, with its name. */
const subresources = {
  bind: "binding",
  evict: "eviction",
  log: "log",
  scale: "scale",
  token: "token",
  updateStatus: "status",
} as const;
const calls = [
  "get",
  "create",
  "update",
  "updateStatus",
  "patch",
  "delete",
  "list",
  "bind",
  "deleteCollection",
  "evict",
  "log",
  "scale",
  "token",
  "wait",
] as const;

const part = (usual: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: anyText },
    {
      weight: 1,
      arbitrary: fc.string({ unit: fc.constantFrom(...Array.from("./%\\?#a:@")), maxLength: 5 }),
    },
  );

const inputs = fc.record({
  call: fc.constantFrom(...calls),
  group: part(""),
  version: part("v1"),
  resource: part("pods"),
  namespace: part("prod"),
  name: part("web"),
  subresource: part("status"),
});
type Input = typeof inputs extends fc.Arbitrary<infer Value> ? Value : never;

async function send(input: Input, fetch: (request: Request) => Promise<Response>): Promise<void> {
  const { call, group, version, resource, namespace, name } = input;
  const connection = createConnection({ server: "https://server/base", fetch });
  const reference = { group, version, resource };
  const signal = new AbortController().signal;
  if (call === "list") {
    await new Collection({ connection, resource: reference, namespace }).list({}, { signal });
    return;
  }
  const client = createClient(connection).resource(reference);
  const object = { metadata: { namespace, name } };
  const key = `${namespace}/${name}`;
  if (call === "wait") await waitFor(client, key, isDeleted);
  else if (call === "deleteCollection") await client.deleteCollection({ namespace, all: true });
  else if (call === "bind") await client.bind(key, "node");
  else if (call === "scale") await client.scale(key, 1);
  else if (call === "log") await (await client.log(key)).text();
  else if (call === "evict" || call === "token") await client[call](key);
  else if (call === "get" || call === "delete") await client[call](key);
  else if (call === "patch") {
    await client.subresource(input.subresource).patch(key, {});
  } else await client[call](object);
}

/** The expected query: nothing from the input, except the whole name for a wait. */
function searchOf({ call, name }: Input): string {
  if (call === "wait") {
    const fieldSelector = `metadata.name=${name.replaceAll(/[\\,=]/g, String.raw`\$&`)}`;
    return `?${new URLSearchParams({ fieldSelector, limit: "0" }).toString()}`;
  }
  const isWrite = ["bind", "create", "patch", "scale", "token", "update", "updateStatus"];
  return isWrite.includes(call) ? "?fieldValidation=Strict" : "";
}

const ofCollections: readonly string[] = ["create", "deleteCollection", "list", "wait"];

/** The expected path: each part complete and in its position. */
function segmentsOf(input: Input): readonly string[] {
  const { call, group, version, resource, namespace, name, subresource } = input;
  return [
    "base",
    ...(group === "" ? ["api"] : ["apis", group]),
    version,
    ...(namespace === "" ? [] : ["namespaces", namespace]),
    resource,
    ...(ofCollections.includes(call) ? [] : [name]),
    ...(call === "patch" ? [subresource] : []),
    ...(call in subresources ? [subresources[call as keyof typeof subresources]] : []),
  ];
}

async function check(input: Input): Promise<void> {
  const urls: string[] = [];
  let failure: unknown;
  try {
    await send(input, (request) => {
      urls.push(request.url);
      const status = { token: "t", expirationTimestamp: "2026-01-01T00:00:00Z" };
      return Promise.resolve(Response.json({ kind: "PodList", status, items: [] }));
    });
  } catch (error) {
    failure = error;
  }
  const [sent] = urls;
  if (sent === undefined) {
    const isOurs = failure instanceof Error && "code" in failure;
    if (!isOurs)
      throw new Error("neither sent nor refused by an error of ours", { cause: failure });
    const usual = /^[a-z\d-]+$/;
    if ([...segmentsOf(input), input.name].every((one) => usual.test(one))) throw failure;
    return;
  }
  const { origin, pathname, search } = new URL(sent);
  const segments = pathname.split("/").slice(1).map(decodeURIComponent);
  checkSame(
    { origin, search, segments },
    { origin: "https://server", search: searchOf(input), segments: segmentsOf(input) },
    "the request",
  );
}

export const paths: AnyTarget = fuzzTarget({ name: "paths", inputs, check });
