/** A module that programs import, and the folder of its pages below `api/`. */
interface EntryPoint {
  readonly folder: string;
  readonly label: string;
  /** Its source below `packages/`, so that the site needs no build of the packages. */
  readonly file: string;
  /** Names to import it by, the preferred one first. */
  readonly names: readonly string[];
}

export const entryPoints: readonly EntryPoint[] = [
  ["core-fifo/src/index.ts", "listwatch", "@listwatch/core-fifo"],
  ["core-fifo/src/testing.ts", "listwatch/testing", "@listwatch/core-fifo/testing"],
  ["client/src/index.ts", "listwatch", "@listwatch/client"],
  ["store-indexer/src/index.ts", "listwatch", "@listwatch/store-indexer"],
  ["reflector/src/index.ts", "listwatch", "@listwatch/reflector"],
  ["shared-informer/src/index.ts", "listwatch", "@listwatch/shared-informer"],
  ["workqueue/src/index.ts", "listwatch", "@listwatch/workqueue"],
  ["controller/src/index.ts", "listwatch", "@listwatch/controller"],
  ["manager/src/index.ts", "listwatch", "@listwatch/manager"],
  ["client-node/src/index.ts", "listwatch/client-node", "@listwatch/client-node"],
  ["listwatch/src/node.ts", "listwatch/node"],
  ["fake-apiserver/src/index.ts", "listwatch/fake-apiserver", "@listwatch/fake-apiserver"],
  ["telemetry/src/index.ts", "listwatch/telemetry", "@listwatch/telemetry"],
  [
    "telemetry/src/opentelemetry.ts",
    "listwatch/telemetry/opentelemetry",
    "@listwatch/telemetry/opentelemetry",
  ],
  ["testing/src/index.ts", "listwatch/testing", "@listwatch/testing"],
  ["streams/src/index.ts", "listwatch/streams", "@listwatch/streams"],
  ["webhooks/src/index.ts", "listwatch/webhooks", "@listwatch/webhooks"],
  [
    "webhooks/src/certificates.ts",
    "listwatch/webhooks/certificates",
    "@listwatch/webhooks/certificates",
  ],
  ["webhooks/src/node.ts", "listwatch/webhooks/node", "@listwatch/webhooks/node"],
  [
    "fake-apiserver/src/adapters/node.ts",
    "listwatch/fake-apiserver/node",
    "@listwatch/fake-apiserver/node",
  ],
].map(([file, ...names]) => {
  const label = names.at(-1)!.replace("@listwatch/", "");
  return { folder: label.replace("/", "-"), label, file: file!, names };
});

/** The part of the navigation that leads to the reference. */
export const referenceSidebar = {
  label: "API",
  items: entryPoints.map(({ folder, label }) => ({
    label,
    collapsed: true,
    items: [{ autogenerate: { directory: `api/${folder}` } }],
  })),
};
