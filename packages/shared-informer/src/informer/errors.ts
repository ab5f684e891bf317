import { ListwatchError } from "@listwatch/core-fifo";

/** An action needs an informer that has not ended. Code `LW_INFORMER_STOPPED`. */
export class InformerStoppedError extends ListwatchError {
  override readonly name: string = "InformerStoppedError";

  constructor(action: string) {
    super("LW_INFORMER_STOPPED", `Cannot ${action}: the informer has stopped`);
  }
}

/** An action is only possible before `run`. Code `LW_INFORMER_STARTED`. */
export class InformerStartedError extends ListwatchError {
  override readonly name: string = "InformerStartedError";

  constructor(action: string) {
    super("LW_INFORMER_STARTED", `Cannot ${action}: the informer has already started`);
  }
}
