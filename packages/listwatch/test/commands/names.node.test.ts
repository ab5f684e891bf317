import { expect, test } from "vitest";
import { doctor } from "../../src/commands/node-doctor.ts";
import { UsageError } from "../../src/commands/node-usage-error.ts";
import { watch } from "../../src/commands/node-watch.ts";

// Nothing listens there: what got as far as a request would fail otherwise.
const server = ["--server", "http://127.0.0.1:1"];

test.each([
  ["pods", "-n", ""],
  ["pods", "-n", ".."],
  ["pods", "-n", "a/b"],
  ["pods", "-n", "a%2fb"],
  ["pods", ""],
  ["pods", ".."],
  ["pods", "a/b"],
  ["pods/.."],
])("watch %s %s %s is a mistake, which meant all namespaces or another object", async (...args) => {
  const given = args.filter((arg) => arg !== undefined);
  await expect(watch([...given, ...server])).rejects.toThrow(UsageError);
});

test.each(["", "..", "a/b"])("doctor -n %j is a mistake", async (namespace) => {
  await expect(doctor(["-n", namespace, ...server])).rejects.toThrow(UsageError);
});
