import { ListwatchError } from "@listwatch/core-fifo";

/** Creates the error for an action that needs a running informer. */
export function createInformerStoppedError(action: string): ListwatchError {
  const message = `Cannot ${action}: the informer has stopped`;
  return new ListwatchError("LW_INFORMER_STOPPED", message);
}

/** Creates the error for an action that is only possible before `run`. */
export function createInformerStartedError(action: string): ListwatchError {
  const message = `Cannot ${action}: the informer has already started`;
  return new ListwatchError("LW_INFORMER_STARTED", message);
}
