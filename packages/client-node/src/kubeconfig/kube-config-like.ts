/**
 * The members used of a `KubeConfig` of `@kubernetes/client-node` 2.x. Declared here, so that this
 * package does not import that one.
 */
export interface KubeConfigLike {
  /** Returns clusters, users and contexts as the JSON of a kubeconfig. */
  exportConfig(): string;
  getCurrentContext(): string | undefined;
  /** Replaces clusters, users, contexts and the name of the current context. */
  loadFromOptions(options: object): void;
  applyToHTTPSOptions(options: object): Promise<void>;
}
