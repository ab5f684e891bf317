// For the examples that are about the fake API server: they stay on it, and say so.
import { argument } from "./arguments.ts";

for (const name of ["context", "server"]) {
  if (argument(name) === undefined) continue;
  console.error(`This example is about the fake API server and stays on it: --${name} is not used`);
}
