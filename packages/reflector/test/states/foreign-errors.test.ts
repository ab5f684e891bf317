import { isNetworkError, isStatusError } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import type { ListerWatcher } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { start } from "../support/running.ts";

const second = 1000;

function coded(message: string, members: object): Error {
  return Object.assign(new Error(message), members);
}

const refused = (): Error => coded("connect ECONNREFUSED 127.0.0.1:6443", { code: "ECONNREFUSED" });

/** An error with the members of `ApiException` of `@kubernetes/client-node`. */
function apiException(code: number, body: unknown, headers: object = {}): Error {
  return coded(`HTTP-Code: ${code}`, { code, body, headers });
}

/** A source without pages whose first watches fail with these errors. */
function failing(
  clock: SimulatedClock,
  failures: readonly unknown[],
  isOpened: boolean,
): ListerWatcher<KubernetesObject> & { readonly requests: string[] } {
  const left = [...failures];
  const startMs = clock.now();
  const requests: string[] = [];
  const note = (verb: string): void => {
    requests.push(`${verb} ${Math.round((clock.now() - startMs) / second)} s`);
  };
  return {
    requests,
    watchListSupported: false,
    async list() {
      note("list");
      return { metadata: { resourceVersion: "5" }, items: [] };
    },
    async watch(_, { signal }) {
      note("watch");
      const failure = left.shift();
      if (failure !== undefined && !isOpened) throw failure;
      return (async function* () {
        if (failure !== undefined) throw failure;
        yield [];
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      })();
    },
  };
}

async function run(failures: readonly unknown[], isOpened = false) {
  const clock = new SimulatedClock();
  const source = failing(clock, failures, isOpened);
  const running = await start<KubernetesObject>(clock, source, { onError: () => "retry" });
  await clock.advance(60 * second);
  await running.stop();
  return { ...running, requests: source.requests };
}

const verbsOf = (requests: readonly string[]): string =>
  requests.map((request) => request.split(" ")[0]).join(" ");

describe("a lister-watcher with errors of another transport", () => {
  test.each([
    ["code", refused()],
    ["cause", new TypeError("fetch failed", { cause: refused() })],
    ["cause of a cause", new Error("a", { cause: new Error("b", { cause: refused() }) })],
    ["AggregateError", new AggregateError([coded("no", { code: "EHOSTUNREACH" }), refused()])],
    ["cause that is an AggregateError", new Error("a", { cause: new AggregateError([refused()]) })],
    ["an error of another realm", { message: "refused", code: "ECONNREFUSED" }],
    ["code of Bun", coded("Unable to connect", { code: "ConnectionRefused" })],
    ["name in Deno", coded("os error 111", { name: "ConnectionRefused" })],
    [
      "message of Deno",
      new TypeError("error sending request: client error (Connect): Connection refused"),
    ],
  ])("reopens a watch whose opening was refused, and lists once: %s", async (_, error) => {
    const { errors, requests } = await run([error, error]);
    expect(verbsOf(requests)).toBe("list watch watch watch");
    expect(errors.map(({ recovery }) => recovery)).toEqual(["reopen", "reopen"]);
    for (const { error: reported } of errors) {
      expect(isNetworkError(reported, "connection-refused")).toBe(true);
      expect(reported).toMatchObject({ cause: error });
    }
  });

  test.each(["ECONNRESET", "ETIMEDOUT", "ENOTFOUND", "EHOSTUNREACH", "UND_ERR_SOCKET"])(
    "reopens a watch that broke: %s",
    async (code) => {
      const { requests } = await run([coded("broken", { code })]);
      expect(verbsOf(requests)).toBe("list watch watch");
    },
  );

  test.each([
    ["code and statusCode", { code: 410, statusCode: 410 }],
    ["an error with a code", coded("Gone", { code: 410 })],
    ["a response", coded("failed", { response: { status: 410 } })],
    ["a Status in the body", apiException(410, { kind: "Status", code: 410, reason: "Expired" })],
    ["a body of JSON", apiException(410, '{"kind":"Status","code":410,"reason":"Expired"}')],
  ])("lists again after a 410, when opening and later: %s", async (_, error) => {
    for (const isOpened of [false, true]) {
      const { errors, requests } = await run([error], isOpened);
      expect(verbsOf(requests)).toBe("list watch list watch");
      expect(errors.map(({ recovery }) => recovery)).toEqual(["relist"]);
      expect(isStatusError(errors[0]?.error, "Gone", "Expired")).toBe(true);
    }
  });

  test.each([
    ["a record", { "retry-after": "20" }],
    ["headers of fetch", new Headers({ "Retry-After": "20" })],
  ])("waits as long as a 429 asks, and reopens: %s", async (_, headers) => {
    const { requests } = await run([apiException(429, "busy", headers)]);
    expect(requests).toEqual(["list 0 s", "watch 0 s", "watch 20 s"]);
  });

  test.each([
    ["a text that reads like one", new Error("incomplete: socket timed out")],
    ["a code of gRPC", coded("unavailable", { code: 14 })],
    ["a mistake", new TypeError("x is not a function")],
    ["a circle of causes", Object.assign(new Error("a"), { cause: new Error("b") })],
  ])("counts any other error as temporary, and reports it as it is: %s", async (_, error) => {
    if (error.cause instanceof Error) error.cause.cause = error;
    const { errors, requests } = await run([error]);
    expect(verbsOf(requests)).toBe("list watch list watch");
    expect(errors[0]?.error).toBe(error);
  });
});
