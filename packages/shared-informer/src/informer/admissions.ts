import type { CompletedWrite } from "@listwatch/client";
import type { AdmittedWrite, WriteEffect } from "./admitted-write.ts";

/** The part of a write that the cache of an informer of any type will contain. */
interface AdmittedAny extends Omit<AdmittedWrite<unknown>, "content"> {
  readonly content: unknown;
}

type Admit = (write: CompletedWrite, effect: WriteEffect) => AdmittedAny | undefined;

/** Admissions of all informers, for the views of them. */
export const admissions: WeakMap<object, Admit> = new WeakMap();
