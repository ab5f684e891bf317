/** Type that a body names before the part that cannot be decoded. */
interface NamedType {
  readonly kind: string;
  /** Version without the group. */
  readonly version: string;
}

/** Options of a {@link MalformedBodyError}. */
interface MalformedBodyOptions extends ErrorOptions {
  /** Type that the body names. @default none */
  readonly type?: NamedType | undefined;
}

/** A body that cannot be decoded; the message is the text of Go's decoder. */
export class MalformedBodyError extends Error {
  override readonly name: string = "MalformedBodyError";
  /** Type that the body names; `undefined` if it names none. */
  readonly type: NamedType | undefined;

  constructor(message: string, options?: MalformedBodyOptions) {
    super(message, options);
    this.type = options?.type;
  }
}

/** A value of the wrong type in `metadata`; the message is the text of Go's decoder. */
export class MetaTypeError extends Error {
  override readonly name: string = "MetaTypeError";
}

/** An operation that does not fit the object, or a test that failed. */
export class PatchNotApplicable extends Error {
  override readonly name: string = "PatchNotApplicable";
}
