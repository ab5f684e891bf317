import { StatusError } from "listwatch";
import { expect, test } from "vitest";
import { Line, wrap } from "../src/line.ts";
import {
  describeChange,
  describeState,
  formatAge,
  formatCount,
  formatSeconds,
} from "../src/words.ts";
import { describeProblem } from "../src/words.ts";

const pod = (status: object, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", resourceVersion: "7" },
  spec,
  status,
});

test("ages take at most six characters", () => {
  const ages = [-5, 0, 59_999, 60_000, 3_599_000, 3_600_000, 86_400_000].map(formatAge);
  expect(ages).toEqual(["0s", "0s", "59s", "1m00s", "59m59s", "1h00m", "24h00m"]);
});

test("measured times have about three digits, and counts their plural", () => {
  expect([4, 250, 1500].map(formatSeconds)).toEqual(["0.004 s", "0.25 s", "1.5 s"]);
  expect([0, 1, 50_000].map((count) => formatCount(count, "pod"))).toEqual([
    "0 pods",
    "1 pod",
    "50,000 pods",
  ]);
});

test("the state of an object is that of kubectl's STATUS column", () => {
  const waiting = { state: { waiting: { reason: "ContainerCreating" } } };
  const crashed = { state: { terminated: { reason: "Error" } } };
  expect(describeState(pod({ phase: "Running" }))).toBe("Running");
  expect(describeState(pod({ phase: "Pending", containerStatuses: [waiting] }))).toBe(
    "ContainerCreating",
  );
  const statuses = [{ state: { running: { startedAt: "" } } }, crashed];
  expect(describeState(pod({ phase: "Running", containerStatuses: statuses }))).toBe("Error");
  const metadata = { name: "web", resourceVersion: "7", deletionTimestamp: "2026-01-01T00:00:00Z" };
  expect(describeState({ ...pod({ phase: "Running" }), metadata })).toBe("Terminating");
});

test("other kinds have their phase, their replicas or their version", () => {
  const object = { metadata: { name: "web", resourceVersion: "7" } };
  expect(
    describeState({ ...object, kind: "Namespace", status: { phase: "Active" } } as object),
  ).toBe("Active");
  expect(describeState({ ...object, spec: { replicas: 4 } } as object)).toBe("0/4 ready");
  const status = { readyReplicas: 3 };
  expect(describeState({ ...object, spec: { replicas: 4 }, status } as object)).toBe("3/4 ready");
  expect(describeState(object)).toBe("rv 7");
  expect(describeState({ ...object, status: { phase: 1 } } as object)).toBe("rv 7");
  expect(describeState({ ...object, spec: null, status: null } as object)).toBe("rv 7");
});

test("an update has two states, or one, or the node that a pod was bound to", () => {
  const [pending, running] = [pod({ phase: "Pending" }), pod({ phase: "Running" })];
  expect(describeChange(pending, running)).toBe("Pending → Running");
  expect(describeChange(running, running)).toBe("Running");
  const bound = pod({ phase: "Pending" }, { nodeName: "worker-1" });
  expect(describeChange(pending, bound)).toBe("Pending on worker-1");
  expect(describeChange(bound, bound)).toBe("Pending");
});

test("a refusal names the server, the code and the remedy", () => {
  const refusal = (code: number): string => {
    const error = new StatusError({ status: "Failure", code, message: "no" });
    return describeProblem(error, "http://s");
  };
  expect(refusal(401)).toBe(
    "http://s does not know who you are (401 Unauthorized): check the credentials · no",
  );
  expect(refusal(403)).toBe("http://s does not let you watch this (403 Forbidden) · no");
  expect(refusal(404)).toBe("http://s has no such resource (404 Not Found): check --resource · no");
  expect(refusal(500)).toBe("http://s answers 500 · no");
  expect(describeProblem(new TypeError("bug"), "http://s")).toBe("bug");
});

test("a line is cut at its width, and control characters from a server do not pass", () => {
  expect(String(new Line(6).add("ab").to(4).add("cdef", "green"))).toBe(
    "ab  \u001b[32mcd\u001b[39m",
  );
  expect(String(new Line(6).add("abcdef").to(4).add("g", "red"))).toBe("abcdef");
  expect(String(new Line().add("evil\u001b[2J\u0007!\r\n"))).toBe("evil [2J ! ");
});

test("a sentence is broken between words", () => {
  expect(wrap("one two three four", 9)).toEqual(["one two", "three", "four"]);
  expect(wrap("one", 9)).toEqual(["one"]);
});
