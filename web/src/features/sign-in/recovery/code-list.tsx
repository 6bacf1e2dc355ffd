import { useRef } from 'react';
import { useShowsCodes } from '../../../shared/account/shown-codes.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { CopyButton } from '../../../ui/buttons/copy-button.tsx';
import { printSheet } from '../../../ui/browser/print-sheet.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { saveFile } from '../../../ui/browser/save-file.ts';
import './recovery.css';

interface CodesProps {
  user_id: string;
  codes: readonly string[];
}

/** New recovery codes, with what stores them: copy, download, print. */
export function CodeList({ user_id, codes }: CodesProps) {
  const list = useRef<HTMLOListElement>(null);
  useShowsCodes();
  const text = codes.join('\n');
  const title = t.account.recovery.sheet(user_id, location.host);
  const download = () =>
    saveFile({
      name: t.account.recovery.file(user_id),
      parts: [`${title}\n${t.account.recovery.text}\n\n${text}\n`],
      type: 'text/plain;charset=utf-8',
    });
  return (
    <div className="stack gap-3">
      <Codes ref={list} codes={codes} />
      <div className="line wraps gap-2">
        <CopyButton text={text} onError={() => getSelection()?.selectAllChildren(list.current!)} />
        <Button onClick={download}>{t.account.recovery.download}</Button>
        <Button onClick={() => printSheet(<Sheet user_id={user_id} codes={codes} />)}>
          {t.account.recovery.print}
        </Button>
      </div>
    </div>
  );
}

function Codes({ codes, ref }: { codes: readonly string[]; ref?: React.Ref<HTMLOListElement> }) {
  return (
    <ol ref={ref} className="recovery-codes" dir="ltr" aria-label={t.account.recovery.title}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ol>
  );
}

function Sheet({ user_id, codes }: CodesProps) {
  return (
    <section className="recovery-sheet">
      <h1>
        <Rich text={t.account.recovery.sheet_title} user={<Bdi>{user_id}</Bdi>} />
      </h1>
      <p dir="ltr">{location.host}</p>
      <p>{t.account.recovery.text}</p>
      <Codes codes={codes} />
    </section>
  );
}
