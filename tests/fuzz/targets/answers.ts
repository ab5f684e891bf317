import * as fc from "fast-check";
import { silentLog } from "@listwatch/core-fifo";
import { isRecord } from "@listwatch/core-fifo/base";
import { SharedInformer } from "@listwatch/shared-informer";
import { Cluster, versionsOf, type ConfigMap } from "../../support/cluster.ts";
import { anyJson } from "../anything.ts";
import { change, mistake } from "../mistakes.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const status = fc.record(
  {
    kind: fc.constant("Status"),
    apiVersion: fc.constant("v1"),
    status: fc.constant("Failure"),
    message: fc.constant("no"),
    reason: fc.constantFrom("Expired", "TooManyRequests", "Timeout", "Forbidden", "Invalid"),
    code: fc.constantFrom(410, 429, 504, 403, 500),
    details: fc.record({
      causes: fc.constant([{ reason: "ResourceVersionTooLarge", message: "x", field: "y" }]),
      retryAfterSeconds: fc.constantFrom(0, 1, 1e9),
    }),
  },
  { requiredKeys: ["kind"] },
);

const realTypes = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"];
/** Values that are not event types, and ERROR, whose object is then wrong. */
const eventTypes = fc.oneof(
  fc.constantFrom<unknown>("ERROR", "RENAMED", "added", "", "ADDED ", "toString", null, 1, [], {}),
  anyJson.filter((type) => typeof type !== "string" || !realTypes.includes(type)),
);

const answer = fc.oneof(
  // A response of the server, with mistakes in one of its lines.
  fc.record({ kind: fc.constant("changed" as const), line: fc.nat(3), mistake }),
  // A response of the server, with another type in one of its events.
  fc.record({ kind: fc.constant("retyped" as const), line: fc.nat(3), type: eventTypes }),
  fc.record({
    kind: fc.constant("refused" as const),
    code: fc.constantFrom(400, 403, 404, 410, 429, 500, 503, 504),
    retryAfter: fc.constantFrom(
      "",
      "0",
      "-5",
      "1e9",
      "NaN",
      "soon",
      "Thu, 01 Jan 1970 00:00:00 GMT",
    ),
    status,
    mistake,
  }),
  fc.record({ kind: fc.constant("other" as const), value: anyJson }),
);
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

const inputs = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 5 }),
  pageSize: fc.constantFrom(undefined, 2),
});
type Input = typeof inputs extends fc.Arbitrary<infer Value> ? Value : never;

async function answerTo(response: Response, wanted: Answer): Promise<Response> {
  if (wanted.kind === "other") return Response.json(wanted.value);
  if (wanted.kind === "refused") {
    const headers: HeadersInit =
      wanted.retryAfter === "" ? {} : { "retry-after": wanted.retryAfter };
    const body = change(wanted.status, wanted.mistake);
    await response.body?.cancel();
    return Response.json(body, { status: wanted.code, headers });
  }
  if (response.body === null) return response;
  let line = 0;
  let rest = "";
  const changed = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(
    new TransformStream<string, string>({
      transform(chunk, controller) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const one of lines) controller.enqueue(`${mistaken(one, line++, wanted)}\n`);
      },
      flush(controller) {
        if (rest !== "") controller.enqueue(mistaken(rest, line, wanted));
      },
    }),
  );
  return new Response(changed.pipeThrough(new TextEncoderStream()), response);
}

function mistaken(text: string, line: number, wanted: Answer): string {
  if (!("line" in wanted) || line !== wanted.line) return text;
  const value: unknown = JSON.parse(text);
  if (wanted.kind === "changed") return JSON.stringify(change(value, wanted.mistake));
  const isEvent = isRecord(value) && Object.hasOwn(value, "type");
  return isEvent ? JSON.stringify({ ...value, type: wanted.type }) : text;
}

async function check({ answers, pageSize }: Input): Promise<void> {
  const cluster = new Cluster(1);
  for (const key of ["default/a", "default/b", "default/c"]) await cluster.create(key);
  const rest = [...answers];
  let isExpired = false;
  const source = cluster.source(
    {},
    {
      fetch: async (request) => {
        if (isExpired && request.url.includes("watch=") && !request.url.includes("sendInitial")) {
          isExpired = false;
          return Response.json({ kind: "Status", code: 410, reason: "Expired" }, { status: 410 });
        }
        const response = await cluster.api.fetch(request);
        const next = rest.shift();
        return next === undefined ? response : answerTo(response, next);
      },
    },
  );
  const informer = new SharedInformer<ConfigMap>({
    listerWatcher: source,
    clock: cluster.clock,
    onError: () => undefined,
    list: { pageSize },
    random: cluster.random,
    telemetry: { log: silentLog },
  });
  const stop = new AbortController();
  let failure: Error | undefined;
  const running = informer.run(stop.signal).catch((error: unknown) => {
    failure = error instanceof Error ? error : new Error("no error");
  });
  for (let round = 0; round < 10; round++) {
    await cluster.update("default/b", { data: { round: String(round) } });
    await cluster.clock.advance(3 * 60_000);
  }
  rest.length = 0;
  if (answers.some(({ kind }) => kind === "changed" || kind === "other")) {
    // The next list corrects wrong values that look valid.
    isExpired = true;
    cluster.api.control.watches.end();
    await cluster.clock.advance(10 * 60_000);
  }
  const held = versionsOf(informer.store.list());
  const { problem } = informer.status();
  stop.abort();
  await cluster.clock.advance(0);
  await running;
  if (failure !== undefined) throw new Error(`run ended: ${failure.message}`, { cause: failure });
  checkSame(held, await cluster.state(), `the cache, whose problem is ${String(problem?.error)}`);
}

/** Mistyped responses for a complete informer, which must end in the server's state. */
export const answers: AnyTarget = fuzzTarget({ name: "answers", inputs, check });
