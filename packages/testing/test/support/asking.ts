import { createClient } from "@listwatch/client";
import { configmaps } from "@listwatch/resources/core/v1";
import type { Life } from "../../src/index.ts";

type Program = (life: Life) => Promise<unknown>;

/** Lets a program send a request first: a simulation of one that sends none fails. */
export function asking(start: Program): Program {
  return (life) => {
    const { clock, connection, random, signal } = life;
    const maps = createClient(connection, { clock, random, retries: 0 }).resource(configmaps);
    void maps.list({ signal }).catch(() => undefined);
    return start(life);
  };
}
