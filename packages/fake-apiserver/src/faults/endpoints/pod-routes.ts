import type { ControlRoute } from "./control-route.ts";

/** Behaviour of pods that only runs on nodes. */
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
