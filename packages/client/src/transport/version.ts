/** Version of this package; written by `npm run version-packages`. */
export const version: string = "0.0.0";
