import { Fragment } from 'react';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';
import { summaryOf } from './view-summary.ts';
import type { Summarised } from './view-summary.ts';
import { words } from './view-words.ts';

/** What a view shows, in a line. */
export function SummaryText({ shown }: { shown: Summarised }) {
  return summaryOf(shown, words).map(({ id, text, others, quoted }, at) => (
    <Fragment key={id}>
      {at > 0 && ' · '}
      {quoted ? <Rich text={words.search} q={<Bdi>{text}</Bdi>} /> : others ? <Bdi>{text}</Bdi> : text}
    </Fragment>
  ));
}
