/**
 * The `Idempotency-Key` of a form: the same while the same thing is sent again (a lost answer must not
 * double it), another as soon as something in it changed (the service refuses one key for two bodies).
 */
export function createSendingKey(newKey: () => string = randomKey): (body: unknown) => string {
  let last = { text: '', key: '' };
  return (body) => {
    const text = JSON.stringify(body);
    if (text !== last.text) last = { text, key: newKey() };
    return last.key;
  };
}

/** `crypto.randomUUID` exists on https only; a server in one's own network is often plain http. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
