/**
 * What is used of a `KubeConfig` of `@kubernetes/client-node` 2.x. Written out here, so that this
 * package loads nothing of that one.
 */
export interface KubeConfigLike {
  /** The clusters, users and contexts as the JSON of a kubeconfig. */
  exportConfig(): string;
  getCurrentContext(): string | undefined;
  /** Takes over clusters, users, contexts and the name of the current one. */
  loadFromOptions(options: object): void;
  /** Adds the credentials of the current user to the options of a request. */
  applyToHTTPSOptions(options: object): Promise<void>;
}
