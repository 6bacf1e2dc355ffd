import { Fragment } from 'react';
import { t } from '../../text/text.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { summaryOf, type Summarised } from './view-summary.ts';

/** The summary of a view in one line. */
export function SummaryText({ shown }: { shown: Summarised }) {
  return summaryOf(shown).map(({ id, text, others, quoted }, at) => (
    <Fragment key={id}>
      {at > 0 && ' · '}
      {quoted ? <Rich text={t.views.search} q={<Bdi>{text}</Bdi>} /> : others ? <Bdi>{text}</Bdi> : text}
    </Fragment>
  ));
}
