// For the examples about the fake API server: they always use it, and print that.
import { argument } from "./arguments.ts";

for (const name of ["context", "server"]) {
  if (argument(name) === undefined) continue;
  console.error(
    `This example is about the fake API server and always uses it: --${name} is not used`,
  );
}
