import { Barriers } from "./barriers.ts";
import { BookmarkPolicy } from "./bookmark-policy.ts";
import { checkFaultAction, checkIllegalAction } from "../check-fault.ts";
import { ControlExchange } from "./control-exchange.ts";
import type { ControlHooks } from "./control-hooks.ts";
import { ServerControl } from "./server-control.ts";
import type { ControlState } from "./control-state.ts";
import type { ControlledCore } from "./controlled-core.ts";
import type { FaultAction, IllegalAction } from "../fault-action.ts";
import { FaultRules } from "./fault-rules.ts";
import { Outages } from "./outages.ts";
import { FrontEnds } from "./front-ends.ts";
import { RequestRecorder } from "./request-recorder.ts";
import { WatchRegistry } from "./watch-registry.ts";

/** The two sides of the server control: `control` for tests, `hooks` for the core. */
export interface ControlParts {
  readonly control: ServerControl;
  readonly hooks: ControlHooks;
}

/** Builds the server control of a server around its core. */
export function createControl(core: ControlledCore): ControlParts {
  const recorder = new RequestRecorder();
  const watches = new WatchRegistry();
  const random = (): number => core.random();
  const bookmarks = new BookmarkPolicy(() => watches.policiesChanged(bookmarks));
  const frontEnds = new FrontEnds({
    currentRevision: () => core.currentRevision(),
    changed: () => watches.policiesChanged(bookmarks),
  });
  const barriers = new Barriers({
    watches,
    recorder,
    currentRevision: () => core.currentRevision(),
    get requestsInFlight() {
      return state.requestsInFlight;
    },
  });
  const state: ControlState = {
    core,
    recorder,
    watches,
    barriers,
    bookmarks,
    frontEnds,
    faults: new FaultRules<FaultAction>(random, checkFaultAction),
    illegal: new FaultRules<IllegalAction>(random, checkIllegalAction),
    outages: new Outages(core.clock),
    settings: { watchList: "supported", staleReads: false },
    requestsInFlight: 0,
  };
  return {
    control: new ServerControl(state),
    hooks: {
      begin: (info) => new ControlExchange(state, info),
      committed: () => {
        watches.wakeGated();
        barriers.check();
      },
    },
  };
}
