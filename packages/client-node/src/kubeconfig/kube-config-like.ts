/**
 * The members used of a `KubeConfig` of `@kubernetes/client-node` 2.x. Declared here, so that this
 * package does not import that one.
 */
export interface KubeConfigLike {
  /** Returns clusters, users and contexts as the JSON of a kubeconfig. */
  exportConfig(): string;
  /** Returns the name of the current context. */
  getCurrentContext(): string | undefined;
  /** Replaces clusters, users, contexts and the name of the current context. */
  loadFromOptions(options: object): void;
  /**
   * Writes certificates and headers with the credentials of the current context to options of
   * Node's `https`.
   */
  applyToHTTPSOptions(options: object): Promise<void>;
}
