/**
 * Names of the simulated controllers, as in the option `controllers`. Those behind others in the
 * list go first when both have work.
 */
export const controllerNames = [
  "endpointslices",
  "deployments",
  "replicasets",
  "statefulsets",
  "daemonsets",
  "cronjobs",
  "jobs",
  "serviceaccounts",
] as const;

/** Name of a simulated controller. */
export type ControllerName = (typeof controllerNames)[number];
