import { expect, test } from "vitest";
import { answerInspector } from "../src/server/inspector.ts";
import { checkIdle, Cluster, configMap } from "./support/cluster.ts";
import { Operator } from "./support/operator.ts";

test("the inspector shows informers, controllers and past reconciles on localhost", async () => {
  const cluster = new Cluster();
  await cluster.configMaps.create(configMap("default/a"));
  const operator = new Operator({ inspector: { port: 0 } }, cluster).addParts();
  const running = operator.manager.run(operator.stop.signal);
  await cluster.clock.advance(1000);
  const line = operator.log.lines.find(({ message }) => message === "Inspector listens");
  const url = String(line?.fields["url"]);
  const page = await fetch(url);
  expect([page.status, page.headers.get("content-type")]).toEqual([
    200,
    "text/html; charset=utf-8",
  ]);
  expect(await page.text()).toContain("<title>Manager</title>");
  const state: unknown = await (await fetch(`${url}inspect.json`)).json();
  expect(state).toEqual(JSON.parse(JSON.stringify(operator.manager.inspect())));
  expect(state).toMatchObject({
    name: "operator",
    informers: [{ hasSynced: true, objects: 1 }],
    controllers: [{ name: "maps", isRunning: true, past: [["default/a", [{}]]] }],
  });
  expect((await fetch(`${url}other`)).status).toBe(404);
  operator.stop.abort();
  await cluster.clock.advance(1000);
  await running;
  expect(await fetch(url).catch(() => "closed")).toBe("closed");
  checkIdle(cluster.clock);
});

test.each([
  ["127.0.0.1:8082", 200],
  ["localhost", 200],
  ["[::1]:8082", 200],
  ["attacker.example:8082", 403],
  ["127.0.0.1.attacker.example", 403],
  [undefined, 403],
])("the inspector answers a request to the host %s with %i", (host, status) => {
  const request = {
    method: "GET",
    url: new URL("http://manager/"),
    authorization: undefined,
    host,
  };
  expect(answerInspector(() => ({}), request).status).toBe(status);
});
