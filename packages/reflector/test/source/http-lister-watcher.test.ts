import type { ListContext, ListOptions } from "@listwatch/client";
import type { ListerWatcher } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster, failureOf, type ConfigMap } from "../support/cluster.ts";

describe("a list over HTTP", () => {
  async function namesOf(
    source: ListerWatcher<ConfigMap>,
    options: ListOptions,
  ): Promise<{ readonly names: readonly string[]; readonly next: string | undefined }> {
    const context: ListContext<ConfigMap> = { signal: new AbortController().signal };
    const list = await source.list(options, context);
    const names: string[] = [];
    for await (const batch of list.items) {
      for (const { metadata } of [batch].flat()) names.push(metadata.name);
    }
    return { names, next: list.metadata?.continue };
  }

  test("is one request for one page, and the caller handles the continue token (LW-3)", async () => {
    const cluster = new Cluster();
    for (const name of ["a", "b", "c"]) await cluster.create(name);
    const source = cluster.source();
    const first = await namesOf(source, { limit: 2 });
    expect(first.names).toEqual(["a", "b"]);
    expect(first.next).toMatch(/./);
    expect(cluster.requests()).toEqual(['list "" limit 2']);
    const second = await namesOf(source, { limit: 2, continue: first.next });
    expect(second).toEqual({ names: ["c"], next: undefined });
    expect(cluster.requests()).toHaveLength(2);
  });

  test("has only the caller's limit (LW-3)", async () => {
    const cluster = new Cluster();
    for (const name of ["a", "b", "c"]) await cluster.create(name);
    expect(await namesOf(cluster.source(), {})).toEqual({
      names: ["a", "b", "c"],
      next: undefined,
    });
    expect(cluster.requests()).toEqual(['list ""']);
  });
});

describe("a watch over HTTP that fails to open leaves nothing open (LW-2)", () => {
  const text = new TextEncoder().encode("no watch today ".repeat(1000));

  /** A body that continues until it is cancelled. */
  function endlessBody(): { readonly body: ReadableStream<Uint8Array>; isCancelled: boolean } {
    const endless = {
      body: new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(text),
        cancel: () => {
          endless.isCancelled = true;
        },
      }),
      isCancelled: false,
    };
    return endless;
  }

  const redirect = { status: 307, headers: { location: "http://elsewhere/" } };
  const protobuf = {
    status: 500,
    headers: { "content-type": "application/vnd.kubernetes.protobuf" },
  };
  test.each([
    ["it is refused with an endless page", { status: 502 }],
    ["it is refused with an endless page that calls itself protobuf", protobuf],
    ["it is sent elsewhere", redirect],
    ["it is aborted, and the transport answers all the same", { status: 200 }],
  ])("when %s", async (_, head) => {
    const cluster = new Cluster();
    const answer = endlessBody();
    const controller = new AbortController();
    const source = cluster.source(
      {},
      {
        fetch: async () => {
          if (head.status === 200) controller.abort(new Error("enough"));
          return new Response(answer.body, head);
        },
      },
    );
    const failure = await failureOf(source.watch({}, { signal: controller.signal }));
    expect(failure).toMatchObject(
      head.status === 200 ? { message: "enough" } : { name: "StatusError" },
    );
    expect(answer.isCancelled).toBe(true);
    expect(cluster.clock.pendingTimers).toBe(0);
  });
});
