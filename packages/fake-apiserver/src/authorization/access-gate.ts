import type { Authenticator } from "../authentication/authenticator.ts";
import type { UserInfo } from "../api/access.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { accessDenied } from "./access-denied.ts";
import { accessRequest } from "./access-request.ts";
import type { Authorizer } from "./authorizer.ts";
import { impersonatedRequest, impersonatedUser, impersonationChecks } from "./impersonation.ts";

/** Authenticates and authorizes each request before it is served. */
export class AccessGate {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;

  constructor(authenticator: Authenticator, authorizer: Authorizer) {
    this.authenticator = authenticator;
    this.authorizer = authorizer;
  }

  /**
   * Returns the user of a permitted request.
   *
   * @throws {ApiError} 400, 401 and 403
   */
  async admit(info: RequestInfo): Promise<UserInfo> {
    const { headers } = info.request;
    const sender = await this.authenticator.authenticate(info.request);
    const impersonated = impersonatedUser(headers);
    if (impersonated !== undefined) await this.#checkImpersonation(info, sender, impersonated);
    const user = impersonated ?? sender;
    const request = accessRequest(info, user);
    const { allowed, reason = "" } = await this.authorizer.authorize(request);
    if (!allowed) throw accessDenied(request, reason);
    return user;
  }

  async #checkImpersonation(
    info: RequestInfo,
    sender: UserInfo,
    { username }: UserInfo,
  ): Promise<void> {
    for (const check of impersonationChecks(sender, info.request.headers)) {
      const { allowed, reason = "" } = await this.authorizer.authorize(check);
      if (allowed) continue;
      throw accessDenied(impersonatedRequest(accessRequest(info, sender), username), reason);
    }
  }
}
