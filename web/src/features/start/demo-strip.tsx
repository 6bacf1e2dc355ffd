import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorParts } from '../../api/problem.ts';
import { formatNumber, problemSentence } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Note } from '../../ui/notice.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { demoQuery, useRemoveDemo } from './demo.api.ts';
import './demo-strip.css';
import { words } from './start-words.ts';

const text = words.demo;

/** Says that there is a demo, and takes it away. Nothing where there is none. */
export function DemoStrip() {
  const demo = useQuery(demoQuery).data;
  const [asking, setAsking] = useState(false);
  if (!demo?.there) return null;
  return (
    <div className="demo-strip">
      <span>{text.strip}</span>
      <Button look="accent" size="row" onClick={() => setAsking(true)}>
        {text.remove}
      </Button>
      {asking && (
        <RemoveDemo devices={demo.resources.length} swarms={demo.swarms.length} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}

function RemoveDemo({ devices, swarms, onClose }: { devices: number; swarms: number; onClose(): void }) {
  const toasts = useToasts();
  const remove = useRemoveDemo({
    onDone() {
      toasts.show({ title: text.removed, icon: 'check' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={text.remove_title}
      description={text.remove_text(devices, formatNumber(devices), swarms, formatNumber(swarms))}
      act={remove.isPending ? text.removing : text.remove}
      cancel={text.keep}
      busy={remove.isPending}
      onAct={() => remove.mutate()}
      onClose={onClose}
    >
      <div role="alert">
        {remove.error && (
          <Note tone="bad" icon="warning">
            {text.not_removed}. {problemSentence(errorParts(remove.error))}
          </Note>
        )}
      </div>
    </ConfirmDialog>
  );
}
