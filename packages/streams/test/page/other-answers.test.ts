import { expect, test } from "vitest";
import { contentOf, openPage, startBackend } from "../support/dashboard.ts";

const html = { "content-type": "text/html" };

test.each([
  ["a login page", 200, "badRequest"],
  ["a proxy that forbids the origin", 403, "forbidden"],
] as const)(
  "the answer of %s drops no objects, and is reported (PGS-7)",
  async (_, status, reason) => {
    const backend = await startBackend();
    const { clock } = backend;
    await backend.write("a/one", { color: "red" });
    let isInFront = false;
    const handler = backend.serve();
    const page = openPage(
      () => (request) =>
        isInFront
          ? Promise.resolve(new Response("<html>\n\n", { status, headers: html }))
          : handler(request),
      { clock },
    );
    const maps = page.informer("maps");
    await clock.advance(0);
    isInFront = true;
    page.breakStream();
    await clock.advance(1000);
    expect(contentOf(maps)).toEqual({ "a/one": { color: "red" } });
    const { problem } = maps.status();
    expect(problem?.reason).toBe(reason);
    expect(String(problem?.error)).toContain(`expected a stream, got ${status}`);
    isInFront = false;
    await clock.advance(10_000);
    expect(maps.status().problem).toBeUndefined();
    await page.close();
    await backend.stop();
  },
);

test("the refusal of the server drops all objects (PGS-4)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { color: "red" });
  let isGranted = true;
  const handler = backend.serve({ authorize: () => isGranted });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  isGranted = false;
  page.breakStream();
  await clock.advance(1000);
  expect(contentOf(maps)).toEqual({});
  expect(maps.status().problem?.reason).toBe("forbidden");
  await page.close();
  await backend.stop();
});
