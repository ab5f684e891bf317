/** The faults of real servers, one line each. */
export { status } from "./status.ts";
export { respond } from "./respond.ts";
export { reset } from "./reset.ts";
export { blackhole } from "./blackhole.ts";
export { commitThenFail } from "./commit-then-fail.ts";
export { latency } from "./latency.ts";
export { compact } from "./compact.ts";
export { headers } from "./headers.ts";
export { end } from "./end.ts";
export { resetBody } from "./reset-body.ts";
export { truncate } from "./truncate.ts";
export { stall } from "./stall.ts";
export { slow } from "./slow.ts";
export { split } from "./split.ts";
export { delayEvents } from "./delay-events.ts";
export { errorEvent } from "./error-event.ts";
