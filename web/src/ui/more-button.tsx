import { Button } from './button.tsx';
import { LoadFailedNote } from './load-failed.tsx';

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

interface MoreButtonProps {
  query: NextPageQuery;
  label: string;
}

/** Loads the next page of a list, until there is none. */
export function MoreButton({ query, label }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  if (query.isFetchNextPageError) return <NextPageFailed query={query} />;
  return (
    <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {label}
    </Button>
  );
}
