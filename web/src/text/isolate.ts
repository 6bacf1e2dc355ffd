/**
 * Characters that turn the text after them around: "evil" could be shown as "live". The marks that honest names have (U+200E, U+200F and
 * U+061C) stay.
 */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text of another user, without what turns a part of it around. */
export const inOrder = (text: string): string => text.replaceAll(turning, '');

/** Isolates a text of another user where there are no elements, as `Bdi` does in HTML. */
export const isolate = (text: string): string => `\u2068${inOrder(text)}\u2069`;
