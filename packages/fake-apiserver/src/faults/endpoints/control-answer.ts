/** Beginning of the paths of control requests. */
export const controlPrefix = "/__control/";

/** The answer to a control request that is refused. */
export function problem(status: number, message: string): Response {
  return Response.json({ error: message }, { status });
}
