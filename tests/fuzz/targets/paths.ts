import * as fc from "fast-check";
import { Collection, createClient, createConnection } from "@listwatch/client";
import { anyText } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const calls = ["get", "create", "update", "updateStatus", "patch", "delete", "list"] as const;

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
  if (call === "get" || call === "delete") await client[call](key);
  else if (call === "patch") {
    await client.patch(key, {}, { subresource: input.subresource });
  } else await client[call](object);
}

/** What the query has to be: nothing of the input. */
function searchOf({ call }: Input): string {
  return ["list", "get", "delete"].includes(call) ? "" : "?fieldValidation=Strict";
}

/** What the path has to be: each part whole, in its place. */
function segmentsOf(input: Input): readonly string[] {
  const { call, group, version, resource, namespace, name, subresource } = input;
  return [
    "base",
    ...(group === "" ? ["api"] : ["apis", group]),
    version,
    ...(namespace === "" ? [] : ["namespaces", namespace]),
    resource,
    ...(call === "list" || call === "create" ? [] : [name]),
    ...(call === "patch" ? [subresource] : call === "updateStatus" ? ["status"] : []),
  ];
}

async function check(input: Input): Promise<void> {
  const urls: string[] = [];
  let failure: unknown;
  try {
    await send(input, (request) => {
      urls.push(request.url);
      return Promise.resolve(Response.json({ kind: "PodList", items: [] }));
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

/** Names in request paths. */
export const paths: AnyTarget = fuzzTarget({ name: "paths", inputs, check });
