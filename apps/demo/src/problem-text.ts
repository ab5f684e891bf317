import { isExpired, isNetworkError, isStatusError, isTooManyRequests } from "@listwatch/client";

/** What was asked of whom, for a sentence about why it failed. */
export interface Attempt {
  readonly server: string;
  /** Context of the kubeconfig, if the server is from there. */
  readonly context?: string | undefined;
  readonly resource: string;
  readonly namespace: string | undefined;
}

/** Why the server cannot be listed or watched: one line that tells the user what to change. */
export function problemText(error: unknown, attempt: Attempt): string {
  const { server, resource, namespace } = attempt;
  const where = namespace === undefined ? "" : ` in namespace "${namespace}"`;
  const message = error instanceof Error ? error.message : String(error);
  if (isNetworkError(error, "connection-refused")) {
    return `Can't reach ${server}: nothing listens there (connection refused)`;
  }
  if (isNetworkError(error)) return `Lost ${server}: ${innermost(error)}`;
  if (!isStatusError(error)) return message;
  if (error.httpCode === 401) {
    const advice =
      attempt.context === undefined
        ? "use --token-file with a valid token"
        : `renew the credentials of the context ${attempt.context}`;
    return `${server} does not know who you are (401 Unauthorized): ${advice}`;
  }
  if (error.httpCode === 403) {
    return `${server} does not let you watch ${resource}${where} (403 Forbidden): ${message}`;
  }
  if (error.httpCode === 404) {
    return `${server} has no resource "${resource}"${where} (404 Not Found): check --resource, such as pods or deployments.apps`;
  }
  if (isTooManyRequests(error)) {
    return `${server} answers 429 Too Many Requests: asking again later`;
  }
  if (isExpired(error))
    return `The history is compacted (410 ${error.reason || "Gone"}): listing again`;
  return `${server} answered ${error.httpCode}: ${message}`;
}

/** The innermost cause says what the system said; what is around it repeats what was attempted. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : innermost(error.cause);
}
