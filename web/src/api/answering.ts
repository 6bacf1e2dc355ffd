/**
 * The invitations whose answers are pending here. Their rows keep their place, because an answer may be undone, or
 * fail. There is one page, hence one store.
 */
interface Answering {
  has(id: string): boolean;
  /** The number of received invitations with a pending answer. The badge does not count them. */
  count: number;
}
const none: Answering = { has: () => false, count: 0 };
let answering = none;
const listeners = new Set<() => void>();

export const isAnswering = (id: string) => answering.has(id);
export const answeringCount = () => answering.count;

export function setAnswering(next: Answering = none): void {
  answering = next;
  for (const listener of listeners) listener();
}

export function subscribeToAnswering(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
