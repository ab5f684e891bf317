import type { Random } from "@listwatch/core-fifo/base";
import { internalError } from "../api/errors.ts";
import type { FoundResource } from "../api/registry.ts";
import type { UserInfo, Authorization } from "../api/access.ts";
import { checkGrant } from "../authorization/escalation.ts";
import { conform, type DecodeTarget } from "../input/decode-object.ts";
import type { Verb } from "../api/request.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type { Storage } from "../storage/storage.ts";
import type { AdmissionPlugin } from "./admission-plugin.ts";
import { RequestAdmission } from "./request-admission.ts";
import { isConnect } from "./request-options.ts";

const rbacGroup = "rbac.authorization.k8s.io";
const writingVerbs: ReadonlySet<Verb> = new Set([
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
]);

/** Dependencies of {@link Admission}. */
export interface AdmissionOptions {
  readonly plugins: readonly AdmissionPlugin[];
  readonly authorization: Authorization | undefined;
  readonly storage: Pick<Storage, "store">;
  /** Creates the uids of AdmissionReviews. */
  readonly random: Random;
}

/** A request that writes or connects. */
export interface AdmittedRequest extends FoundResource, DecodeTarget {
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warnings: string[];
}

/** Runs the admission of requests before they reach storage. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Returns the admission of a request; undefined if no plugin or grant check applies. */
  async begin(request: AdmittedRequest): Promise<RequestAdmission | undefined> {
    const { authorization, plugins, random, storage } = this.#options;
    const { definition, dryRun, info, served, user, warnings } = request;
    const checksGrants = authorization === "rbac" && definition.group === rbacGroup;
    if (plugins.length === 0 && !checksGrants) return undefined;
    if (!writingVerbs.has(info.verb) && !isConnect(info)) return undefined;
    const decoder = await request.strategy.decoder?.(served);
    return new RequestAdmission({
      plugins,
      definition,
      served,
      info,
      user,
      dryRun,
      warnings,
      random,
      conform: (object) => conform(request, object, served, internalError, { decoder }).object,
      checkGrants: checksGrants
        ? (object, old) => checkGrant({ storage, user, definition }, object, old)
        : undefined,
    });
  }
}
