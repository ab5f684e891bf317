import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { parseDuration } from "../../src/base/go-duration.ts";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

function setUp(): { client: ApiClient; clock: ManualClock } {
  const clock = new ManualClock();
  return { client: new ApiClient(new FakeApiServer({ clock, seed: 1 })), clock };
}

describe("a duration", () => {
  test.each([
    ["0", 0],
    ["0s", 0],
    ["1h1m1.5s", 3_661_500],
    [".5s", 500],
    ["5.s", 5000],
    ["+5s", 5000],
    ["-5s", -5000],
    ["1ns", 0.000_001],
    ["100\u00b5s", 0.1],
    ["9223372036854775807ns", 9_223_372_036_854.775],
  ])("%s is %d ms", (text, milliseconds) => {
    expect(parseDuration(text)).toBeCloseTo(milliseconds, 6);
  });

  // Messages recorded from kube-apiserver 1.36.3.
  test.each([
    ["abc", 'time: invalid duration "abc"'],
    ["-", 'time: invalid duration "-"'],
    [".s", 'time: invalid duration ".s"'],
    ["5", 'time: missing unit in duration "5"'],
    ["5 s", 'time: unknown unit " s" in duration "5 s"'],
    ["1h1x", 'time: unknown unit "x" in duration "1h1x"'],
    ['"\\', 'time: invalid duration "\\"\\\\"'],
    ["\u00b5", 'time: invalid duration "\\xc2\\xb5"'],
    ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
    ["9999999999h", 'time: invalid duration "9999999999h"'],
  ])("cannot be %s", (text, complaint) => {
    expect(parseDuration(text)).toBe(complaint);
  });
});

describe("the timeout of a request", () => {
  test.each([
    ["GET", configMaps],
    ["DELETE", `${configMaps}/none`],
    ["GET", "/version"],
    ["GET", "/healthz"],
    ["GET", "/nothing"],
  ])("that is not a duration is rejected: %s %s (API-1.2)", async (method, path) => {
    const { client } = setUp();
    const { body, status } = await client.call(method, `${path}?timeout=abc&timeout=5s`);
    expect(status).toBe(400);
    expect(body["message"]).toBe(
      'invalid timeout specified in the request URL - time: invalid duration "abc"',
    );
  });

  test.each(["", "0", "0s", "-1s", "100h"])("may be %j", async (timeout) => {
    const { client } = setUp();
    expect((await client.get(`${configMaps}?timeout=${timeout}`)).status).toBe(200);
  });

  test("that expires while the server waits returns 504 in plain text (API-1.2)", async () => {
    const { client, clock } = setUp();
    const answer = client.send("GET", `${configMaps}?resourceVersion=99999999&timeout=1s`);
    await clock.advance(1000);
    const response = await answer;
    expect(response.status).toBe(504);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await response.json()).toEqual({
      metadata: {},
      status: "Failure",
      message: "Timeout: request did not complete within the allotted timeout",
      reason: "Timeout",
      details: {},
      code: 504,
    });
  });

  test("that has expired at the start has no effect", async () => {
    const { client } = setUp();
    const object = { metadata: { name: "a" } };
    const { status } = await client.call("POST", `${configMaps}?timeout=1ns`, object);
    expect(status).toBe(504);
    expect((await client.get(`${configMaps}/a`)).status).toBe(404);
  });

  test("is ignored by a watch (API-1.10)", async () => {
    const { client } = setUp();
    await client.createConfigMap("a");
    const watch = await client.watch(`${configMaps}?watch=1&timeout=abc`);
    expect(await watch.take(1)).toEqual(["ADDED a"]);
  });
});
