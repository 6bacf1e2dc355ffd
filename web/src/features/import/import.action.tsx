import type { ActionOf } from '@swarmdeck/bff/contract';
import { registerAction } from '../../api/action-kinds.ts';
import { t } from '../../text/text.ts';
import { Rich } from '../../ui/rich.tsx';
import { Link } from '../../ui/router.tsx';

registerAction('import', {
  label: (action) => (
    <Link to="/import">
      <FileText action={action} text={t.import.job[action.state === 'ended' ? 'done' : action.state]} />
    </Link>
  ),
  doneLabel: (action) => <FileText action={action} text={t.import.job.done} />,
  failedLabel: ({ failed }) => t.import.job.failed(failed),
  changes: () => [{ type: 'devices.changed', data: {} }],
});

const FileText = ({ action: { about }, text }: { action: ActionOf<'import'>; text: string }) => (
  <Rich text={text} file={<bdi>{about.file}</bdi>} />
);
