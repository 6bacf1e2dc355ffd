import { onNewPage } from '../new-page.ts';

interface FeedPosition {
  /** `id` is null if an answer does not have it. */
  note(id: string | null): void;
  /** The id of an event: all events up to it are in the data. Undefined if this is not known. */
  first(): string | undefined;
  /** `id`: of an answer that refuses the session. It says only the name of the feed. */
  noteRefusal(id: string | null): void;
  /** The name of the feed in the last answer, and in the last refusal. */
  names(): { answered: string | undefined; refused: string | undefined };
  forget(): void;
}

/**
 * Every answer of `/api` has the id of the newest event when its request arrived. What a page has read contains all events
 * up to the smallest of them, so the first live stream can continue after it.
 */
export function createFeedPosition(): FeedPosition {
  let first: string | undefined;
  let isKnown = true;
  let names: ReturnType<FeedPosition['names']> = { answered: undefined, refused: undefined };
  return {
    note(id) {
      const [feed, seq] = partsOf(id ?? '');
      if (feed !== undefined && feed !== names.answered) names = { ...names, answered: feed };
      const [firstFeed, firstSeq] = partsOf(first ?? id ?? '');
      if (feed === undefined || feed !== firstFeed) isKnown = false;
      else if (first === undefined || Number(seq) < Number(firstSeq)) first = id!;
    },
    first: () => (isKnown ? first : undefined),
    noteRefusal(id) {
      const [refused] = partsOf(id ?? '');
      names = { ...names, refused };
    },
    names: () => names,
    forget() {
      names = { answered: undefined, refused: undefined };
      first = undefined;
      isKnown = true;
    },
  };
}

/** The name of the feed in the id of an event. The server gives it another one when it was restored from a backup. */
export const feedOf = (id: string): string | undefined => partsOf(id)[0];

const partsOf = (id: string) => /^(.*)-(\d+)$/.exec(id)?.slice(1) ?? [];

/** The position of the answers that this page has received. */
export const feedPosition = createFeedPosition();
onNewPage(feedPosition.forget);
