import { ControlInputError } from "../../control/control-errors.ts";
import type { FrontEnd } from "../../control/front-ends.ts";
import type { ServerControl } from "../../control/server-control.ts";
import type { ControlRoute } from "./control-route.ts";

/** The treatment of streaming lists and bookmarks, and the front ends. */
export const policyRoutes: readonly ControlRoute[] = [
  {
    method: "POST",
    path: "watch-list",
    fields: ["mode"],
    run: ({ control, reader }) => {
      control.watchList = reader.choice("mode", ["supported", "refused", "ignored"]);
    },
  },
  {
    method: "POST",
    path: "bookmarks",
    fields: ["everyMs", "afterEvents", "suppress", "initialEnd"],
    run: ({ control, reader }) =>
      control.bookmarks.set({
        ...(reader.has("everyMs") ? { everyMs: reader.number("everyMs") } : {}),
        ...(reader.has("afterEvents") ? { afterEvents: reader.number("afterEvents") } : {}),
        suppress: reader.boolean("suppress", false),
        initialEnd: reader.choice("initialEnd", ["sent", "never"], "sent"),
      }),
  },
  {
    method: "POST",
    path: "front-ends/route",
    fields: ["to"],
    run: ({ control, reader }) => control.frontEnds.route(reader.number("to")),
  },
  {
    method: "POST",
    path: "front-ends/*/lag",
    fields: ["revisions", "resource"],
    run: ({ control, parameter, reader }) =>
      frontEnd(control, parameter).lag(reader.number("revisions"), reader.text("resource", "*")),
  },
  {
    method: "POST",
    path: "front-ends/*/freeze",
    fields: ["resource"],
    run: ({ control, parameter, reader }) =>
      frontEnd(control, parameter).freeze(reader.text("resource", "*")),
  },
  {
    method: "POST",
    path: "front-ends/*/catch-up",
    run: ({ control, parameter }) => frontEnd(control, parameter).catchUp(),
  },
];

function frontEnd(control: ServerControl, parameter: string): FrontEnd {
  if (!/^\d$/.test(parameter)) {
    throw new ControlInputError(`Expected the number of a front end from 0 to 9, got ${parameter}`);
  }
  return control.frontEnds.at(Number(parameter));
}

/** The logs of pods. */
export const podRoutes: readonly ControlRoute[] = [
  {
    method: "POST",
    path: "pods/log",
    fields: ["namespace", "name", "container", "text"],
    run: ({ control, reader }) => {
      control.pods.setLog(
        {
          namespace: reader.text("namespace", "default"),
          name: reader.text("name"),
          container: reader.text("container", ""),
        },
        reader.text("text"),
      );
    },
  },
];
