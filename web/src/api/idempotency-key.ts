/**
 * The `Idempotency-Key` of a form: the same for the same body, so that a lost answer does not create it twice, and
 * another one for another body, because the service rejects one key with two bodies.
 */
export function createSendingKey(newKey: () => string = randomKey): (body: unknown) => string {
  let last = { text: '', key: '' };
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last.text) last = { text, key: newKey() };
    return last.key;
  };
}

/** `crypto.randomUUID` exists over HTTPS only; a server in a local network often uses plain HTTP. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
