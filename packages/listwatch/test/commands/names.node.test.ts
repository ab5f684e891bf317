import { expect, test } from "vitest";
import { doctor } from "../../src/commands/node-doctor.ts";
import { UsageError } from "../../src/commands/node-usage-error.ts";
import { watch } from "../../src/commands/node-watch.ts";

// Nothing listens there: an accepted name would fail with a connection error.
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
])("watch %s %s %s is rejected, since it would address other objects", async (...args) => {
  const given = args.filter((arg) => arg !== undefined);
  await expect(watch([...given, ...server])).rejects.toThrow(UsageError);
});

test.each(["", "..", "a/b"])("doctor -n %j is rejected", async (namespace) => {
  await expect(doctor(["-n", namespace, ...server])).rejects.toThrow(UsageError);
});
