import { positions } from "../support/fault-positions.ts";
import { testOverHttp } from "../support/fault-sockets.ts";

// The others are in http-faults.node.test.ts, which runs on each runtime.
testOverHttp(positions.filter(({ name }) => name !== "list" && name !== "mid-watch"));
