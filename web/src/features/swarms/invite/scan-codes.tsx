import { useRef, useState } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi } from '../../../ui/texts/rich.tsx';
import { useCamera } from '../../../ui/qr/use-camera.ts';
import { CodeLabel } from '../../../shared/code-label.tsx';
import { InviteLine } from './invite-check-box.tsx';
import { readCodes } from './invite-codes.ts';
import './scan-codes.css';
import type { InviteCodes } from './use-invite-codes.ts';

/** In ms. */
const goneAfter = 3000;

interface Scanned {
  kind: 'added' | 'known' | 'foreign' | 'unknown';
  /** The user of a code that was read. */
  to?: string;
  label?: string | undefined;
}

/** The camera reads one QR code after the other, and each invite code is added to the list. */
export function ScanCodes({ codes, onClose }: { codes: InviteCodes; onClose(): void }) {
  const [scanned, setScanned] = useState<Scanned>();
  const [added, setAdded] = useState(0);
  const [isNew] = useState(createIsNew);
  const [attempt, setAttempt] = useState(0);
  function onCodes(texts: string[]) {
    // The others follow with the next picture.
    const text = texts.find(isNew);
    if (text === undefined) return;
    const result = resultOf(text, codes);
    setScanned(result);
    if (result.kind !== 'added') return;
    // Browsers of computers and iPhones have none.
    (navigator as Partial<Navigator>).vibrate?.(60);
    setAdded(added + 1);
    codes.edit.append(text);
  }
  const texts = t.invite.scan;
  return (
    <Dialog
      title={texts.title}
      description={texts.text}
      onClose={onClose}
      footer={
        <>
          <span className="grow quiet numbers">{added > 0 && texts.count(added)}</span>
          <Button look="primary" onClick={onClose}>
            {texts.done}
          </Button>
        </>
      }
    >
      <Camera key={attempt} onCodes={onCodes} onRetry={() => setAttempt(attempt + 1)} />
      <output className={`scan-result scan-${scanned?.kind ?? 'none'}`}>
        {scanned && texts[scanned.kind]} <Bdi>{scanned?.to}</Bdi>{' '}
        {scanned?.label && <CodeLabel label={scanned.label} />}
      </output>
      <ScannedLines codes={codes} />
    </Dialog>
  );
}

/** More would hide the camera. */
const mostLines = 20;

/** The devices in the list, the last one first, with their roles and whether they can be invited. */
function ScannedLines({ codes: { checked, edit } }: { codes: InviteCodes }) {
  const lines = checked.filter(({ code }) => code !== null).slice(-mostLines);
  if (lines.length === 0) return null;
  return (
    <ul aria-label={t.invite.check} className="stack gap-2 scan-lines">
      {lines.toReversed().map((line) => (
        <li key={`${line.line}-${line.role}`} className="box">
          <InviteLine
            id={`scanned-${line.line}`}
            tabIndex={0}
            line={line}
            text={t.invite.scan.device_of(line.code!.to)}
            onRole={(role) => edit.setLineRole(line.line, role)}
          />
        </li>
      ))}
    </ul>
  );
}

/** The picture of the camera, or why there is none. */
function Camera({ onCodes, onRetry }: { onCodes(texts: string[]): void; onRetry(): void }) {
  const video = useRef<HTMLVideoElement>(null);
  const { state, light } = useCamera(video, onCodes);
  const texts = t.invite.scan;
  const isWorking = state === 'on' || state === 'starting';
  return (
    <>
      <video ref={video} hidden={!isWorking} className="scan-video" aria-label={texts.camera} muted playsInline />
      <div className="scan-state" aria-live="polite">
        {isWorking ? (
          <div className="line spread">
            <p className="quiet">{texts[state]}</p>
            {light && (
              <Button size="row" aria-pressed={light.isOn} onClick={light.toggle}>
                {texts.light}
              </Button>
            )}
          </div>
        ) : (
          <Note tone="warn" icon="warning">
            {texts.problems[state]} <Button onClick={onRetry}>{t.shell.kit.retry}</Button>
          </Note>
        )}
      </div>
    </>
  );
}

/** A code is new again after it was out of the picture for a while. */
function createIsNew() {
  const seen = new Map<string, number>();
  return (text: string) => {
    const now = performance.now();
    const before = seen.get(text) ?? -Infinity;
    seen.set(text, now);
    return now - before > goneAfter;
  };
}

/** What a scanned text is. Only links of this service are accepted. */
function resultOf(text: string, { lines }: InviteCodes): Scanned {
  const url = URL.parse(text);
  if (url?.searchParams.has('to') && url.origin !== location.origin) return { kind: 'foreign' };
  const [read] = readCodes(text).lines;
  if (url?.pathname !== '/invite' || !read || !('code' in read)) return { kind: 'unknown' };
  const { code, label } = read;
  const isKnown = lines.some(
    (line) => 'code' in line && line.code.to === code.to && line.code.resource_id === code.resource_id,
  );
  return { kind: isKnown ? 'known' : 'added', to: code.to, label };
}
