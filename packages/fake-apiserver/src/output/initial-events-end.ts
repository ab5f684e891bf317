/** Annotation of the bookmark that ends the initial events of a watch. */
export const initialEventsEnd = "k8s.io/initial-events-end";
