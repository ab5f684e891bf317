import { ListwatchError } from "@listwatch/core-fifo";

/**
 * A kubeconfig, or what a pod finds of its cluster, cannot be used. The message names the file, the
 * context and the field; never a credential. Code `LW_CONFIG`.
 */
export class ConfigError extends ListwatchError {
  override readonly name: string = "ConfigError";

  constructor(message: string, options?: ErrorOptions) {
    super("LW_CONFIG", message, options);
  }
}
