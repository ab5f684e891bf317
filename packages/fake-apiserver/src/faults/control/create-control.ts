import { illegalFaults, legalFaults } from "../actions/fault-actions.ts";
import { Barriers } from "./barriers.ts";
import { BookmarkPolicy } from "./bookmark-policy.ts";
import { ControlExchange } from "./control-exchange.ts";
import type { ControlHooks } from "./control-hooks.ts";
import type { ControlState } from "./control-state.ts";
import type { ControlledCore } from "./controlled-core.ts";
import { FaultRules } from "./fault-rules.ts";
import { FrontEnds } from "./front-ends.ts";
import { IllegalControl } from "./illegal-control.ts";
import { Outages } from "./outages.ts";
import type { PodControl } from "./pod-control.ts";
import { RequestRecorder } from "./request-recorder.ts";
import { ServerControl } from "./server-control.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/** The two sides of the server control: `control` for tests, `hooks` for the core. */
export interface ControlParts {
  readonly control: ServerControl;
  readonly hooks: ControlHooks;
}

/** Builds the server control around the core of a server. */
export function createControl(
  core: ControlledCore,
  { pods, watches }: { readonly pods: PodControl; readonly watches: WatchRegistry },
): ControlParts {
  const recorder = new RequestRecorder();
  const random = (): number => core.random();
  const currentRevision = (): number => core.currentRevision();
  const bookmarks = new BookmarkPolicy(() => watches.policiesChanged(bookmarks));
  const state: ControlState = {
    core,
    recorder,
    watches,
    pods,
    barriers: new Barriers({ watches, recorder, currentRevision }),
    bookmarks,
    frontEnds: new FrontEnds({
      currentRevision,
      changed: () => watches.policiesChanged(bookmarks),
    }),
    faults: new FaultRules(random, legalFaults),
    illegal: new IllegalControl(new FaultRules(random, illegalFaults)),
    outages: new Outages(core.clock),
  };
  const control = new ServerControl(state);
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
