/** Name of a simulated controller. */
export type ControllerName =
  | "cronjobs"
  | "daemonsets"
  | "deployments"
  | "endpointslices"
  | "jobs"
  | "replicasets"
  | "replicationcontrollers"
  | "resourcequotas"
  | "serviceaccounts"
  | "statefulsets";

/**
 * Names of the simulated controllers, as in the option `controllers`. Those behind others in the
 * list go first when both have work.
 */
export const controllerNames: readonly ControllerName[] = [
  "resourcequotas",
  "endpointslices",
  "deployments",
  "replicasets",
  "replicationcontrollers",
  "statefulsets",
  "daemonsets",
  "cronjobs",
  "jobs",
  "serviceaccounts",
];
