import { inRealTime } from "@listwatch/core-fifo/base";
import type { ControllerManager } from "../controllers/controller-manager.ts";
import type { ControllerChoices } from "../controllers/create-controllers.ts";
import { sendWrite } from "./send-write.ts";
import type { ServerCore } from "../verbs/server-core.ts";
import type { Reloaded } from "./core-control.ts";

/** The simulated controllers of a server. Their modules are loaded only if there are any. */
export class LateControllers implements Reloaded {
  #manager: ControllerManager | undefined;

  readonly #started: Promise<void>;

  constructor(core: ServerCore, choices: Omit<ControllerChoices, "send">) {
    this.#started = choices.names.length > 0 ? this.#start(core, choices) : Promise.resolve();
  }

  reload(): void {
    this.#manager?.reload();
  }

  /** Resolves when the controllers have started and have nothing to do. */
  async idle(): Promise<void> {
    await this.#started;
    await this.#manager?.idle();
  }

  async #start(core: ServerCore, choices: Omit<ControllerChoices, "send">): Promise<void> {
    try {
      const { startControllers } = await inRealTime(import("../controllers/create-controllers.ts"));
      this.#manager = startControllers(core, { ...choices, send: sendWrite });
    } catch (error) {
      choices.log.error("Cannot load the simulated controllers", { error });
    }
  }
}
