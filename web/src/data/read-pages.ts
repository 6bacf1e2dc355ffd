import { send } from './client.ts';
import type { Path } from './path-to.ts';

interface ReadPagesOptions<Page> {
  pathOf(cursor: string): Path<Page>;
  signal?: AbortSignal | undefined;
}

/** The pages of a list, one after the other. The first cursor is empty. */
export async function* readPages<Page extends { next: string | number | null }>({
  pathOf,
  signal,
}: ReadPagesOptions<Page>): AsyncGenerator<Page> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = (await send({ path: pathOf(cursor), ...(signal && { signal }) })).data;
    yield page;
    cursor = page.next === null ? null : String(page.next);
  }
}
