/**
 * Returns a function that returns the `Idempotency-Key` of a form. The key is the same for the same body, so that a
 * retry does not create a second record. It is a new one for another body, because the service rejects one key with two
 * bodies.
 */
export function createIdempotencyKey(newKey: () => string = () => crypto.randomUUID()): (body: unknown) => string {
  let last = { text: '', key: '' };
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last.text) last = { text, key: newKey() };
    return last.key;
  };
}
