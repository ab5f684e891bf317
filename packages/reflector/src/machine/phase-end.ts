/**
 * How a phase of a reflector ended: as it should; with a failure that was reported, after which a
 * delay and a new list follow; because the run is over.
 */
export type PhaseEnd =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "stopped" };
