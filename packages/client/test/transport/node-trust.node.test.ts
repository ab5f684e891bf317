// Go's answers are those of crypto/tls of Go 1.26 with the same certificates in a pool of roots.
import { nodeTransport, type TlsOptions } from "@listwatch/client/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";
import {
  pem,
  startTlsServers,
  type AnchoredServer,
  type TlsServers,
} from "../support/tls-servers.ts";

let servers: TlsServers;
beforeAll(async () => {
  servers = await startTlsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());

async function ask(
  url: string,
  tls: TlsOptions,
  init?: RequestInit & { readonly proxy?: string },
): Promise<Record<string, unknown>> {
  const { proxy, ...rest } = init ?? {};
  await using transport = nodeTransport({ tls, proxy: proxy ?? null });
  const response = await transport(new Request(url, rest));
  return (await response.json()) as Record<string, unknown>;
}

function bundle(...names: readonly string[]): string {
  return names.map((name) => pem(`${name}.crt`)).join("");
}

const accepted: readonly (readonly [AnchoredServer, readonly string[]])[] = [
  ["chain", ["chain-root", "chain-upper"]],
  ["chain", ["chain-upper"]],
  ["chain", ["chain-upper", "chain-lower"]],
  ["chain", ["chain-lower"]],
  ["chain", ["chain-server"]],
  ["chain", ["other-ca", "chain-lower"]],
  ["chain", ["ca", "chain-server"]],
  ["bare", ["chain-root", "chain-upper", "chain-lower"]],
  ["bare", ["chain-lower"]],
  ["bare", ["chain-server"]],
  ["own", ["own"]],
  ["own", ["other-ca", "own"]],
];

const refused: readonly (readonly [AnchoredServer, readonly string[]])[] = [
  ["chain", ["chain-root"]],
  ["chain", ["other-ca"]],
  ["bare", ["chain-root"]],
  ["bare", ["chain-upper"]],
  ["sibling", ["chain-server"]],
  ["own", ["chain-server"]],
  ["own", ["own-for-clients"]],
  ["ownForClients", ["own-for-clients"]],
  ["expired", ["expired"]],
];

/** Messages of Node and Bun; Deno has its message in the cause. */
const untrusted = /certificate|altnames|purpose|fetch failed/i;

describe("each given certificate is an anchor, as in Go", () => {
  test.each(accepted)("the server %s is accepted with %j", async (server, names) => {
    const url = `${servers.anchored[server]}/who`;
    expect(await ask(url, { ca: bundle(...names) })).toHaveProperty("groupLines");
  });

  test.each(refused)("the server %s is refused with %j", async (server, names) => {
    const url = `${servers.anchored[server]}/who`;
    await expect(ask(url, { ca: bundle(...names) })).rejects.toThrow(untrusted);
  });

  test("a certificate that is an anchor still needs the name of the server", async () => {
    const ca = bundle("named");
    const url = `${servers.named}/who`;
    await expect(ask(url, { ca })).rejects.toThrow(untrusted);
    await expect(ask(url, { ca, serverName: "other.test" })).rejects.toThrow(untrusted);
    const answer = await ask(url, { ca, serverName: "kubernetes.test" });
    expect(answer["serverName"]).toBe("kubernetes.test");
  });

  test("an authority of X.509 version 1 is an anchor", async () => {
    const url = `${servers.anchored.old}/who`;
    expect(await ask(url, { ca: bundle("old-ca") })).toHaveProperty("groupLines");
  });

  test("anchors hold through a proxy", async () => {
    const { anchored, proxy } = servers;
    const askThrough = (server: AnchoredServer, ca: string): Promise<unknown> =>
      ask(`${anchored[server]}/who`, { ca: bundle(ca) }, { proxy });
    expect(await askThrough("chain", "chain-lower")).toHaveProperty("groupLines");
    expect(await askThrough("own", "own")).toHaveProperty("groupLines");
    await expect(askThrough("sibling", "chain-server")).rejects.toThrow(untrusted);
  });

  test("the body of a write arrives, whichever part of the runtime accepts the server", async () => {
    const url = `${servers.anchored.chain}/echo`;
    const init = { method: "POST", body: "é".repeat(50_000) };
    const expected = { length: 100_000, method: "POST" };
    expect(await ask(url, { ca: bundle("chain-server") }, init)).toEqual(expected);
    expect(await ask(url, { ca: bundle("chain-lower") }, init)).toEqual(expected);
  });

  test("a server that is accepted stays accepted, over few connections", async () => {
    await using transport = nodeTransport({ tls: { ca: bundle("chain-server") }, proxy: null });
    const counts = async (): Promise<number> => {
      const response = await transport(new Request(`${servers.anchored.chain}/counts`));
      const { connections } = (await response.json()) as { connections: number };
      return connections;
    };
    const first = await counts();
    for (let index = 0; index < 5; index++) await counts();
    expect((await counts()) - first).toBeLessThanOrEqual(1);
  });
});

test.each(["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])(
  "data without a certificate are refused before the first request: %j",
  async (ca) => {
    const failure = await failureOf(ask(`${servers.server}/who`, { ca }));
    expect(failure).toMatchObject({ code: "LW_CONFIG" });
    expect(String(failure)).toContain("its data has no certificate");
  },
);

test("a client certificate of X.509 version 1 is presented", async () => {
  const tls = { ca: bundle("ca"), cert: bundle("old-client"), key: pem("old-client.key") };
  expect((await ask(`${servers.server}/who`, tls))["client"]).toBe("old-client");
});
