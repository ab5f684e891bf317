/** State of a module, which a restart empties in a cluster. */
export const marks: string[] = [];
