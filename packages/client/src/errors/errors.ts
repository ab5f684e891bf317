import { describeError, ListwatchError } from "@listwatch/core-fifo/base";

/**
 * A kubeconfig, or the in-cluster configuration of a pod, cannot be used. The message names the
 * file, the context and the field, never a credential. Code `LW_CONFIG`.
 */
export class ConfigError extends ListwatchError {
  /** Always `"ConfigError"`, also in minified programs. */
  override readonly name: string = "ConfigError";

  constructor(message: string, options?: ErrorOptions) {
    super("LW_CONFIG", message, options);
  }
}

/** The credentials for a request could not be obtained; see `cause`. Code `LW_CREDENTIALS`. */
export class CredentialsError extends ListwatchError {
  /** Always `"CredentialsError"`, also in minified programs. */
  override readonly name: string = "CredentialsError";

  /** @param attempted the attempted action, as the start of the message */
  constructor(
    attempted: string,
    {
      cause,
    }: {
      /** Failure of the plugin, file or provider. Its description ends the message. */
      readonly cause: unknown;
    },
  ) {
    super("LW_CREDENTIALS", `${attempted}: ${describeError(cause)}`, {
      cause,
      advice: "Check the command, file or function that the credentials come from",
    });
  }
}

/**
 * An update would remove fields of an object that was not read with all of them: it has some
 * `fields` only, or metadata only, or was read as protobuf with fields that this version of
 * listwatch does not know. No request was sent. Code `LW_DROPPED_FIELDS`.
 */
export class DroppedFieldsError extends ListwatchError {
  /** Always `"DroppedFieldsError"`, also in minified programs. */
  override readonly name: string = "DroppedFieldsError";
  /** The object: `namespace/name`, or `name` without namespace. */
  readonly key: string;

  /** @param got describes the object */
  constructor(key: string, got: string) {
    super(
      "LW_DROPPED_FIELDS",
      `Cannot update ${JSON.stringify(key)}: expected an object with all fields that the server ` +
        `has sent, got ${got}`,
      {
        advice:
          "Patch or apply what is to change, update the object that a client reads with get, or " +
          "set allowDroppedFields",
      },
    );
    this.key = key;
  }
}
