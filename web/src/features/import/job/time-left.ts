/** Extrapolates the remaining time from the finished rows. Undefined while there are too few of them. */
export function timeLeft({ ms, done, rest }: { ms: number; done: number; rest: number }) {
  if (ms < 1500 || done === 0) return undefined;
  const seconds = (ms / 1000 / done) * rest;
  if (seconds >= 90) return { minutes: Math.round(seconds / 60), seconds: 0 };
  // Rounded to 5 s, because a number that changes all the time is hard to read.
  return { minutes: 0, seconds: seconds > 10 ? Math.ceil(seconds / 5) * 5 : Math.max(1, Math.ceil(seconds)) };
}

export function percentOf(done: number, all: number): number {
  return all === 0 ? 100 : Math.floor((done / all) * 100);
}
