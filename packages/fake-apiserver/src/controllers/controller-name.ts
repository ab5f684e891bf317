/** Names of the simulated controllers, as in the option `controllers`. */
export const controllerNames = ["deployments", "replicasets"] as const;

/** Name of a simulated controller. */
export type ControllerName = (typeof controllerNames)[number];
