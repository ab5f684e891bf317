// Tests of the demo as a process: `npm run check -- demo`. The last line is `N passed, N failed`.
import "./process.ts";
import "./terminal.ts";
import { runTests } from "./harness.ts";

await runTests();
