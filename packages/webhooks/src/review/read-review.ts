import { describeBytes, describeValue, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { BadReviewError } from "./bad-review-error.ts";

/** The group, version and kind of a review that a handler answers. */
export interface ReviewType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The `request` of a review. */
export interface ReceivedReview {
  /** Id that the answer must repeat. */
  readonly uid: string;
  readonly request: JsonObject;
}

/**
 * Reads a review from a request.
 *
 * @throws {BadReviewError} if it is not a review of this type
 */
export async function readReview(
  request: Request,
  { apiVersion, kind }: ReviewType,
  maxBodyBytes: number,
): Promise<ReceivedReview> {
  if (request.method !== "POST") {
    throw new BadReviewError("the method POST", request.method);
  }
  const contentType = request.headers.get("content-type") ?? "";
  if (contentType.split(";")[0]!.trim().toLowerCase() !== "application/json") {
    const got = contentType === "" ? "no content type" : describeValue(contentType);
    throw new BadReviewError("the content type application/json", got);
  }
  const review = parse(await readBody(request, maxBodyBytes));
  if (!isRecord(review))
    throw new BadReviewError(`an object of the kind ${kind}`, describeValue(review));
  if (review["apiVersion"] !== apiVersion || review["kind"] !== kind) {
    const got = `${describeValue(review["apiVersion"])} and ${describeValue(review["kind"])}`;
    throw new BadReviewError(`apiVersion "${apiVersion}" and kind "${kind}"`, got);
  }
  const { request: content } = review;
  if (!isRecord(content)) {
    throw new BadReviewError("an object as request", describeValue(content));
  }
  const { uid } = content;
  if (typeof uid !== "string" || uid === "") {
    throw new BadReviewError("a string as request.uid", describeValue(uid));
  }
  return { uid, request: content };
}

async function readBody(request: Request, maxBodyBytes: number): Promise<string> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > maxBodyBytes) throw tooLarge(maxBodyBytes, describeBytes(announced));
  if (request.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Leaving the loop cancels the body.
  for await (const piece of piecesOf(request.body)) {
    size += piece.byteLength;
    if (size > maxBodyBytes) throw tooLarge(maxBodyBytes, "a longer one");
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

// Streams of Safari cannot be iterated.
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let isComplete = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isComplete = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isComplete) reader.cancel().catch(() => undefined);
  }
}

function tooLarge(maxBodyBytes: number, got: string): BadReviewError {
  return new BadReviewError(`a body of at most ${describeBytes(maxBodyBytes)}`, got);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadReviewError("a body in JSON", text === "" ? "an empty one" : reason);
  }
}
