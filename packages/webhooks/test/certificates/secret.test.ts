import { createClient } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { secrets } from "@listwatch/resources/core/v1";
import { certificatesFromSecret } from "@listwatch/webhooks";
import { describe, expect, test } from "vitest";

const metadata = { namespace: "default", name: "tls" };
const key = "default/tls";

function data(certificate: string): Record<string, string> {
  return { "tls.crt": btoa(certificate), "tls.key": btoa("key"), "ca.crt": btoa("authority") };
}

function start() {
  const clock = new SimulatedClock();
  const server = new FakeApiServer({ clock });
  const connection = { server: "http://server", namespace: "default", fetch: server.fetch };
  const client = createClient(connection, { clock });
  const errors: unknown[] = [];
  const source = certificatesFromSecret(client, {
    ...metadata,
    clock,
    onError: (error) => void errors.push(error),
  });
  const stop = new AbortController();
  const ended = source.run(stop.signal);
  const seen: string[] = [];
  source.onChange(({ certificate }) => seen.push(certificate));
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return { api: client.resource(secrets), clock, end, errors, seen, server, source };
}

describe("certificates from a Secret", () => {
  test("appear when the Secret is created, and change with it", async () => {
    const { api, clock, end, seen, source } = start();
    await clock.advance(5000);
    expect(source.current).toBeUndefined();
    await api.create({ metadata, data: data("first") });
    await clock.settle();
    expect(source.current).toEqual({ certificate: "first", key: "key", authority: "authority" });
    await api.patch(key, { data: data("second") });
    await api.patch(key, { metadata: { labels: { a: "b" } } });
    await clock.settle();
    expect(seen).toEqual(["first", "second"]);
    await end();
    expect(clock.pendingTimers).toBe(0);
  });

  test("stay when the Secret is deleted or loses a member, and follow the next one", async () => {
    const { api, clock, end, errors, seen, source } = start();
    await api.create({ metadata, data: data("first") });
    await clock.advance(2000);
    await api.patch(key, { data: { "tls.key": null } });
    await clock.settle();
    expect(errors).toMatchObject([
      {
        code: "LW_CERTIFICATE",
        message:
          "Cannot use the Secret of a webhook server: expected the members tls.crt and tls.key, got ca.crt, tls.crt",
      },
    ]);
    await api.delete(key);
    await clock.settle();
    expect(source.current?.certificate).toBe("first");
    await api.create({ metadata, data: data("second") });
    await clock.settle();
    expect(seen).toEqual(["first", "second"]);
    await end();
  });
});
