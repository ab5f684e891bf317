import { positions } from "../support/fault-positions.ts";
import { testOverHttp } from "../support/fault-sockets.ts";

// A whole answer and an open stream; the other positions are in fault-matrix.node.test.ts.
testOverHttp(positions.filter(({ name }) => name === "list" || name === "mid-watch"));
