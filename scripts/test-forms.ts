/**
 * Runs the suites and simulations of informers, and the recordings of client-go, with whole
 * objects, with objects all of whose members are lazy, with some fields, and over protobuf: what
 * `OBJECT_FORM` asks of tests/support/object-form.ts. Each file has a separate worker, unlike in
 * other runs, to show that none depends on another.
 */
import { spawnSync } from "node:child_process";

const folders = [
  "packages/shared-informer",
  "packages/reflector",
  "packages/controller",
  "conformance/test/traces.test.ts",
];

for (const form of ["whole", "lazy", "fields", "protobuf", "protobuf fields"]) {
  console.log(`Objects: ${form}`);
  const { status } = spawnSync("vitest", ["run", "--isolate", ...folders], {
    stdio: "inherit",
    env: { ...process.env, OBJECT_FORM: form },
  });
  if (status !== 0) process.exitCode = 1;
}
