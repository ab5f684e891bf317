import { createClient, createConnection } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { nodes, pods } from "@listwatch/resources/core/v1";
import { rolebindings, roles } from "@listwatch/resources/rbac.authorization.k8s.io/v1";
import { reviewAccess, type Grant, type ReviewAccessOptions } from "@listwatch/streams";
import { expect, test, vi } from "vitest";

/** Longer than anything here takes on a machine that does much else. */
const limitMs = 300_000;

const admin = { username: "admin", groups: ["system:masters"] };

async function start(options: Partial<ReviewAccessOptions> = {}) {
  const clock = new SimulatedClock();
  const api = new FakeApiServer({
    clock,
    seed: 1,
    authorization: "rbac",
    users: { secret: admin },
    namespaces: "permissive",
  });
  const connection = createConnection({
    server: "http://fake",
    fetch: api.fetch,
    headers: () => ({ authorization: "Bearer secret" }),
  });
  // Without repetitions no time passes during a request, whose body pages read in their own time.
  const client = createClient(connection, { clock, retries: 0 });
  const authorize = reviewAccess({
    client,
    clock,
    resources: { pods, nodes },
    userOf: (request) => {
      const user = request.headers.get("x-user");
      return user === null
        ? undefined
        : { user, groups: user === "root" ? ["system:masters"] : [] };
    },
    namespaces: () => ["a", "b"],
    ...options,
  });
  const ask = (user: string | undefined, collection: string): Promise<Grant> => {
    const headers = user === undefined ? {} : { "x-user": user };
    return authorize(new Request("http://dashboard", { headers }), collection);
  };
  const allow = async (verbs: string[]): Promise<void> => {
    const inA = client.in("a");
    const rules = [{ apiGroups: [""], resources: ["pods"], verbs }];
    await inA.resource(roles).create({ metadata: { name: "reader" }, rules });
    await inA.resource(rolebindings).create({
      metadata: { name: "reader" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }],
    });
  };
  return { allow, api, ask, clock };
}

test("grants what a user may list and watch, in the cluster or in namespaces (PGS-3)", async () => {
  const { allow, ask } = await start({ keepMs: 0 });
  expect(await ask("root", "pods")).toBe(true);
  expect(await ask("ann", "pods")).toEqual({ namespaces: [] });
  await allow(["list", "watch"]);
  expect(await ask("ann", "pods")).toEqual({ namespaces: ["a"] });
  expect(await ask("ann", "nodes")).toBe(false);
  expect(await ask("root", "nodes")).toBe(true);
  expect(await ask("root", "secrets")).toBe(false);
  expect(await ask(undefined, "pods")).toBe(false);
});

test("does not grant what a user may list and not watch", async () => {
  const { allow, ask } = await start();
  await allow(["list"]);
  expect(await ask("ann", "pods")).toEqual({ namespaces: [] });
});

test.each([undefined, { user: undefined }, { user: null }, { user: "" }])(
  "denies a page without a user, and asks nothing: %o (PGS-3)",
  async (user) => {
    const { api, ask } = await start({ userOf: () => user });
    expect(await ask("ann", "pods")).toBe(false);
    expect(api.control.recorder.list({ resource: "subjectaccessreviews" })).toEqual([]);
  },
);

test("asks once for the pages of a user, and again after a while or a failure", async () => {
  const { api, ask, clock } = await start({ namespaces: undefined });
  const count = (): number =>
    api.control.recorder.list({ resource: "subjectaccessreviews" }).length;
  await Promise.all([ask("ann", "pods"), ask("ann", "pods"), ask("ann", "pods")]);
  expect(count()).toBe(2);
  await clock.advance(10_000);
  await ask("ann", "pods");
  expect(count()).toBe(4);
  await clock.advance(10_000);
  api.control.shutdown();
  await expect(ask("ann", "pods")).rejects.toMatchObject({ code: "LW_STATUS" });
  api.control.start();
  // One of the two reviews of that question may still have to fail.
  await vi.waitFor(async () => {
    expect(await ask("ann", "pods")).toBe(false);
  }, limitMs);
});

test("refuses options that it cannot use", () => {
  // @ts-expect-error the client is missing
  expect(() => reviewAccess({ resources: {}, userOf: () => undefined })).toThrow("client");
});
