/** Returns true if the page must not be left. `leave` does it after all. */
export type LeaveGuard = (move: { from: URL; to: URL }, leave: () => void) => boolean;

const guards = new Set<LeaveGuard>();

/** Returns what removes the guard. */
export function addLeaveGuard(guard: LeaveGuard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** For the router: whether a page with unsaved changes stays. It then asks the user, and may call `leave`. */
export function isBlocked(move: { from: string; to: string }, leave: () => void): boolean {
  const urls = { from: new URL(move.from, location.href), to: new URL(move.to, location.href) };
  return [...guards].some((guard) => guard(urls, leave));
}
