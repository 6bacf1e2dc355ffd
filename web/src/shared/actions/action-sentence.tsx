import type { ReactNode } from 'react';
import type { Action } from '@swarmdeck/bff/contract';
import { joinList } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import './action-sentence.css';

/** `Deleted 12 devices`. `count`: of the items that were changed. */
export function ActionSentence({ kind, about, count }: Pick<Action, 'kind' | 'about'> & { count: number }): ReactNode {
  const say = t.activity.actions;
  const action = { kind, about } as Action;
  switch (action.kind) {
    case 'answer':
      return say[action.about.answer](count);
    case 'update':
      if (action.about.expected_every !== undefined) return say.set_expected(count);
      return action.about.machine_type === undefined ? (
        say.set_description(count)
      ) : (
        <Rich text={say.set_type(count)} type={t.shell.machine_types[action.about.machine_type]} />
      );
    case 'edit': {
      const names: Record<string, string> = t.device.conflict.fields;
      return say.edit(joinList(Object.keys(action.about).map((field) => names[field] ?? field)));
    }
    case 'undo': {
      const { kind, of } = action.about;
      return <Rich text={say.undo} action={<ActionSentence kind={kind} about={of} count={count} />} />;
    }
    default: {
      const names = action.about as { swarm?: { name: string }; file?: string; resource_type?: string };
      const roles: Record<string, string> = t.roles_in_sentences;
      return (
        <Rich
          text={say[action.kind](count)}
          swarm={<Bdi className="activity-name one-line">{names.swarm?.name}</Bdi>}
          file={<Bdi className="activity-name one-line">{names.file}</Bdi>}
          role={roles[names.resource_type ?? '']}
        />
      );
    }
  }
}
