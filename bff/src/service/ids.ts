const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** All ids are UUIDv7 in lower case; any other text matches nothing. */
export function isId(text: string): boolean {
  return uuid7.test(text);
}
