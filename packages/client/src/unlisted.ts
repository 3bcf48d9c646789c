/**
 * Stands for the values of an enumeration that were added after this version of the client was made. No value begins
 * like this: a type that is none of the listed ones is what makes comparing with one of these narrow.
 */
export type Unlisted = `(added later) ${string}`;
