/** Functions that are called with each announced line. If one of them throws, the error is reported and the others are called. */
export function createSubscribers(report: (error: unknown) => void) {
  const subscribers = new Set<(line: string) => void>();
  return {
    subscribe(subscriber: (line: string) => void): () => void {
      subscribers.add(subscriber);
      return () => void subscribers.delete(subscriber);
    },
    tell(line: string): void {
      for (const subscriber of subscribers) {
        try {
          subscriber(line);
        } catch (error) {
          report(error);
        }
      }
    },
  };
}
