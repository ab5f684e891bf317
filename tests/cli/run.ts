// Tests of the command `listwatch`: `npm run check -- cli`. The last line is `N passed, N failed`.
import "./cluster.ts";
import "./doctor.ts";
import "./fake.ts";
import "./terminal.ts";
import "./watch.ts";
import { runTests } from "../demo/harness.ts";

await runTests();
