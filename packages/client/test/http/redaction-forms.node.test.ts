import { leaks, portable, testRedaction } from "../support/redaction.ts";

// The others are in redaction.node.test.ts, which runs on each runtime.
testRedaction(leaks.filter(([name]) => !portable.has(name)));
