import type { FailureReports } from "./reports.ts";
import type { History } from "./history.ts";
import type { ReflectorMetrics } from "../options/options.ts";
import type { EventCheck } from "./event-check.ts";
import type { Progress } from "./progress.ts";
import type { RequestBudget } from "./request-budget.ts";
import type { RetryDelays } from "./retry-delays.ts";
import type { Settings } from "../options/settings.ts";
import type { SilentCloses } from "./silent-closes.ts";

/** Services of a run for all its states. All but the signal outlive the run. */
export interface RunContext<T> {
  readonly settings: Settings<T>;
  readonly metrics: ReflectorMetrics;
  readonly progress: Progress;
  readonly history: History<T>;
  readonly eventCheck: EventCheck;
  readonly reports: FailureReports;
  readonly delays: RetryDelays;
  readonly requests: RequestBudget;
  readonly silentCloses: SilentCloses;
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
}
