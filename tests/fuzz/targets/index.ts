import type { AnyTarget } from "../target.ts";
import { answers } from "./answers.ts";
import { apply } from "./apply.ts";
import { credentials } from "./credentials.ts";
import { decoders } from "./decoders.ts";
import { http } from "./http.ts";
import { memberNames } from "./member-names.ts";
import { options } from "./options.ts";
import { patches } from "./patches.ts";
import { paths } from "./paths.ts";
import { protobufDecoder } from "./protobuf-decoder.ts";
import { protobufBodies } from "./protobuf.ts";
import { rawHttp } from "./raw-http.ts";
import { selectors } from "./selectors.ts";
import { strategicPatch } from "./strategic-patch.ts";
import { structure } from "./structure.ts";
import { yaml } from "./yaml.ts";

export const targets: readonly AnyTarget[] = [
  ...decoders,
  ...structure,
  memberNames,
  answers,
  paths,
  credentials,
  http,
  rawHttp,
  protobufBodies,
  protobufDecoder,
  options,
  ...patches,
  strategicPatch,
  apply,
  yaml,
  ...selectors,
];
