/** A request and the status of its answer. */
export interface Answered {
  readonly request: Request;
  readonly status: number;
}

/** Errors that the program also logs on a cluster whose API server does nothing wrong. */
const expectedErrors: readonly RegExp[] = [
  // The manifest of volume recyclers, which this test does not configure.
  /The manifest file is empty, ignoring/,
  // A controller whose informer has not yet seen the controller's own write: it tries again.
  /read version: \d+ is not as new as written version: \d+ for group resource/,
  // A controller whose cache is older than another one's write: it tries again as well.
  /the object has been modified; please apply your changes to the latest version/,
  // Events of objects in a namespace that ends.
  /Server rejected event \(will not retry!\)" err="(namespaces .* not found|.* is being terminated)/,
];

/** Returns the lines of errors in a log of klog: `E1129 17:33:53.632075 …`. */
export function problemsIn(log: string): readonly string[] {
  const errors = log.split("\n").filter((line) => /^[EF]\d{4} /.test(line));
  return errors.filter((line) => !expectedErrors.some((expected) => expected.test(line)));
}

/**
 * Answers that well-formed requests of an administrator do not get. 403 is none of them: a
 * namespace that ends accepts no new objects.
 */
const unexpected: ReadonlySet<number> = new Set([400, 401, 405, 406, 415, 422, 500, 501]);

/** Returns the requests of the program that were refused for their form, with their answers. */
export function unexpectedAnswers(answered: readonly Answered[]): readonly string[] {
  return answered
    .filter(({ request, status }) => isOfManager(request) && unexpected.has(status))
    .map(({ request, status }) => `${status} ${request.method} ${request.url}`);
}

function isOfManager({ headers }: Request): boolean {
  return headers.get("user-agent")?.startsWith("kube-controller-manager/") ?? false;
}
