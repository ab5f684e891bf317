// The tests of the demo: `npm run check -- demo`. The last line is `N passed, N failed`.
import "./arguments.ts";
import "./cluster.ts";
import "./frame.ts";
import "./guest.ts";
import "./piped.ts";
import "./proofs.ts";
import "./remote.ts";
import "./terminal.ts";
import { runTests } from "./harness.ts";

await runTests();
