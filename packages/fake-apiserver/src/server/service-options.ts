import {
  aString,
  createInvalidOptionError,
  type OptionsOf,
  someStrings,
} from "@listwatch/core-fifo/base";
import type { ServiceSettings } from "../kinds/define-kind.ts";
import { parseRange } from "../validation/addresses.ts";
import type { ServiceOptions } from "./options.ts";

// The range of the recorded server.
const defaultRanges = ["10.0.0.0/24"];
// kube-apiserver --service-node-port-range.
const defaultNodePorts = "30000-32767";

/** Checks of the options of services. */
export const serviceTable: OptionsOf<ServiceOptions> = { ranges: someStrings, nodePorts: aString };

/** Reads the options of services. @throws {@link InvalidOptionsError} */
export function readServices(options: ServiceOptions = {}): ServiceSettings {
  const { nodePorts = defaultNodePorts, ranges = defaultRanges } = options;
  const families = new Set(ranges.map((range) => parseRange(range)?.address.family));
  if (ranges.length === 0 || families.has(undefined) || families.size !== ranges.length) {
    const expected = "a range such as 10.96.0.0/12, or one of each family";
    throw createInvalidOptionError("services.ranges", expected, ranges);
  }
  const [, first, last] = /^(\d+)-(\d+)$/.exec(nodePorts)?.map(Number) ?? [];
  if (first === undefined || last === undefined || first < 1 || first > last || last > 65_535) {
    const expected = "the first and the last port, such as 30000-32767";
    throw createInvalidOptionError("services.nodePorts", expected, nodePorts);
  }
  return { ranges, nodePorts: { first, last } };
}
