import type { ControlledStream } from "../stream/controlled-stream.ts";
import { FaultCatalogue } from "./fault-catalogue.ts";
import type { FaultEffect, FaultTarget } from "./fault.ts";
import * as illegal from "./illegal-faults.ts";
import * as legal from "./legal-faults.ts";

type ActionOf<F extends { read(...parameters: never): unknown }> = ReturnType<F["read"]>;

/** Faults of a real server, its storage or a proxy in front of it. */
export type FaultAction = ActionOf<(typeof legal)[keyof typeof legal]>;

/**
 * Faults that no real server has: they test that a client survives. Never a reason to conclude that
 * a client lost something.
 */
export type IllegalAction = ActionOf<(typeof illegal)[keyof typeof illegal]>;

/** The faults of real servers. */
export const legalFaults: FaultCatalogue<FaultAction, FaultTarget, FaultEffect> =
  new FaultCatalogue<FaultAction, FaultTarget, FaultEffect>(legal);

/** The faults of no real server. */
export const illegalFaults: FaultCatalogue<IllegalAction, ControlledStream, void> =
  new FaultCatalogue<IllegalAction, ControlledStream, void>(illegal);
