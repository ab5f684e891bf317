import {
  createConnection,
  httpListerWatcher,
  SharedInformer,
  type KubernetesObject,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
import { DemoHandler } from "../src/handler.ts";

const resource = { group: "", version: "v1", resource: "namespaces" };

test("two handlers saw the same only with the same events in the same order", async () => {
  const clock = new SimulatedClock();
  const server = new FakeApiServer({ clock });
  const connection = createConnection({ server: "http://fake", fetch: server.fetch });
  const informer = new SharedInformer<KubernetesObject>({
    listerWatcher: httpListerWatcher({ connection, resource, clock }),
    clock,
  });
  const parts = { clock, informer };
  const [first, second] = [new DemoHandler("first", parts), new DemoHandler("second", parts)];
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  await clock.advance(1000);
  expect([first.delivered, second.delivered]).toEqual([4, 4]);
  expect(first.sawTheSameAs(second)).toBe(true);
  // One that is added later is called with the same objects, and then with other events.
  const third = new DemoHandler("third", parts);
  await clock.settle();
  expect(third.sawTheSameAs(first)).toBe(true);
  second.isSlow = true;
  for (const name of ["default", "kube-public"]) {
    const request = {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
    };
    const body = JSON.stringify({ metadata: { labels: { a: "b" } } });
    await server.fetch(new Request(`http://fake/api/v1/namespaces/${name}`, { ...request, body }));
  }
  await clock.settle();
  expect([first.waiting, second.waiting]).toEqual([0, 2]);
  expect(first.sawTheSameAs(second)).toBe(false);
  await clock.advance(700);
  expect([second.waiting, second.delivered]).toEqual([1, 5]);
  await clock.advance(700);
  expect(second.waiting).toBe(0);
  expect(first.sawTheSameAs(second)).toBe(true);
  stop.abort();
  await running;
});
