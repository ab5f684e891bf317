import { illegalFaults, legalFaults } from "../actions/fault-catalogue.ts";
import { BookmarkPolicy } from "./bookmark-policy.ts";
import type { ServerControl } from "../../control/server-control.ts";
import { ControlExchange } from "./control-exchange.ts";
import { ControlPanel } from "./control-panel.ts";
import type { ControlHooks } from "./control-hooks.ts";
import type { ControlState } from "./control-state.ts";
import type { ControlledCore } from "./controlled-core.ts";
import { FrontEndRouter } from "./front-end-router.ts";
import { Outages } from "./outages.ts";
import type { PodLogs } from "./pod-logs.ts";
import { RequestLog } from "./request-log.ts";
import { RuleList } from "./rule-list.ts";
import { StateBarriers } from "./state-barriers.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/** The two sides of the server control: `control` for tests, `hooks` for the core. */
export interface ControlParts {
  readonly control: ServerControl;
  readonly hooks: ControlHooks;
}

/** Builds the server control around the core of a server. */
export function createControl(
  core: ControlledCore,
  { pods, watches }: { readonly pods: PodLogs; readonly watches: WatchRegistry },
): ControlParts {
  const recorder = new RequestLog();
  const random = (): number => core.random();
  const currentRevision = (): number => core.currentRevision();
  const bookmarks = new BookmarkPolicy(() => watches.policiesChanged(bookmarks));
  const state: ControlState = {
    core,
    recorder,
    watches,
    pods,
    barriers: new StateBarriers({ watches, recorder, currentRevision }),
    bookmarks,
    frontEnds: new FrontEndRouter({
      currentRevision,
      changed: () => watches.policiesChanged(bookmarks),
    }),
    faults: new RuleList(random, legalFaults),
    illegal: { faults: new RuleList(random, illegalFaults), staleReads: false },
    outages: new Outages(core.clock),
  };
  const control = new ControlPanel(state);
  return {
    control,
    hooks: {
      begin: (info) => new ControlExchange(state, control, info),
      committed: () => {
        watches.wakeGated();
        state.barriers.check();
      },
    },
  };
}
