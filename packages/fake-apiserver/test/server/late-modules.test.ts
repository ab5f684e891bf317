// In a separate file, since no other test may have loaded the modules.
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { expect, test } from "vitest";
import { FakeApiServer } from "../../src/index.ts";

const account = "http://fake/api/v1/namespaces/default/serviceaccounts";

// Browsers read request bodies in separate tasks, which a clock cannot see.
const skip = "document" in globalThis;

test(
  "lazily loaded modules, and signatures, take no time on a simulated clock",
  { skip },
  async () => {
    const clock = new SimulatedClock();
    const api = new FakeApiServer({ clock });
    const codes: number[] = [];
    const send = async (path: string, type: string, body: string): Promise<void> => {
      const headers = { "content-type": type, accept: "application/yaml" };
      const { status } = await api.fetch(new Request(path, { method: "POST", headers, body }));
      codes.push(status);
    };
    const sent = (async () => {
      const manifest = "{apiVersion: v1, kind: ServiceAccount, metadata: {name: robot}}";
      await send(account, "application/yaml", manifest);
      const request = JSON.stringify({
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: 600 },
      });
      await send(`${account}/robot/token`, "application/json", request);
    })();
    await clock.settle();
    expect(codes).toEqual([201, 201]);
    await sent;
  },
);
