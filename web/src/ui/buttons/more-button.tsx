import { Button } from './button.tsx';
import { LoadFailedNote } from '../pages/load-failed.tsx';

/** The part of an infinite query that loads more. */
export interface NextPageQuery {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  /** Not that of a list whose loaded pages could not be fetched again. */
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage(): unknown;
}

/** The error of a page that could not be loaded, with Retry. */
export function NextPageFailed({ query }: { query: NextPageQuery }) {
  const { error, isFetchingNextPage: isFetching, fetchNextPage: refetch } = query;
  return <LoadFailedNote query={{ error, isFetching, refetch }} />;
}

type Page = { items: readonly unknown[] } | { actions: readonly unknown[] };

const rowsOf = (page: Page) => ('items' in page ? page.items : page.actions);

interface MoreButtonProps {
  query: NextPageQuery & { data: { pages: readonly Page[] } | undefined };
  label: string;
  /** How the rest is found. The list does not grow without end. */
  end: string;
}

/** So many pages are rendered at most. One that found nothing renders nothing. */
const mostPages = 20;

/** Loads the next page of a list, until there is none, or the list is long. */
export function MoreButton({ query, label, end }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  const pages = query.data?.pages.filter((page) => rowsOf(page).length > 0) ?? [];
  if (pages.length >= mostPages) return <p className="quiet pad-4">{end}</p>;
  if (query.isFetchNextPageError) return <NextPageFailed query={query} />;
  return (
    <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {label}
    </Button>
  );
}
