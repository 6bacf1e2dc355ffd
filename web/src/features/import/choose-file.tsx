import { useQueryClient } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { deviceFile, deviceFiles, type DeviceFormat } from '@swarmdeck/bff/device-export';
import { errorSentence, isSignedOut } from '../../data/problem.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Icon } from '../../ui/symbols/icon.tsx';
import { touch, useMedia } from '../../ui/browser/media.ts';
import { Note } from '../../ui/toasts/notice.tsx';
import { saveFile } from '../../ui/browser/save-file.ts';
import { useToasts } from '../../ui/toasts/toast.tsx';
import './choose-file.css';
import { ownedQuery } from './owned.api.ts';
import type { FileError } from './use-import-source.ts';

/** The field names of the API, which are recognised in every language. */
const example = [
  'name,machine_type,description,longitude,latitude\r\n',
  'Pier 4 anemometer,bug,Cup type on a mast,9.9937,53.5411\r\n',
];

interface ChooseFileProps {
  error: FileError | null;
  /** A file is dragged over the page. */
  over: boolean;
  onFile(file: File): void;
  /** The last import: first, because a phone has no room for both. */
  children?: ReactNode;
}

/** The first step: choose a file, or drop it on the page (use-drop.ts). */
export function ChooseFile({ error, over, onFile, children }: ChooseFileProps) {
  const fingers = useMedia(touch);
  return (
    <div className="page-scroll center choose-file">
      {children}
      <div className={over ? 'choose-file-box choose-file-over' : 'choose-file-box'}>
        <span className="center choose-file-icon">
          <Icon name="upload" size={24} />
        </span>
        <h2>{fingers ? t.import.file.drop_touch : t.import.file.drop}</h2>
        <p>{t.import.file.text}</p>
        <div className="choose-file-actions">
          <FileButton primary label={t.import.file.choose} onFile={onFile} />
          <Button onClick={() => saveFile({ name: t.import.file.example_name, parts: example })}>
            {t.import.file.example}
          </Button>
        </div>
        <OwnDevicesFile />
        <div role="alert" className="choose-file-error">
          {error && (
            <Note tone="bad" icon="warning">
              <b>{t.import.file.error_title}</b> {t.import.file.errors[error]}
            </Note>
          )}
        </div>
      </div>
    </div>
  );
}

/** Exports the user's devices. Each row has the id of its device, so that the file can be imported again. */
function OwnDevicesFile() {
  const client = useQueryClient();
  const { show } = useToasts();
  const save = async (format: DeviceFormat) => {
    try {
      const devices = await client.fetchQuery(ownedQuery);
      const name = format === 'csv' ? t.import.file.mine_name : t.import.file.mine_geojson_name;
      saveFile({ name, type: deviceFiles[format].type, parts: deviceFile(format, devices) });
    } catch (error) {
      if (isSignedOut(error)) return;
      // Nothing is lost, and the reason may soon be over.
      const text = errorSentence(error);
      show({ title: t.import.file.mine_failed, text, tone: 'bad', icon: 'warning', seconds: 20 });
    }
  };
  return (
    <p className="choose-file-mine">
      {t.import.file.mine_text}
      <span className="choose-file-actions">
        <Button look="accent" size="row" onClick={() => void save('csv')}>
          {t.import.file.mine}
        </Button>
        <Button look="accent" size="row" onClick={() => void save('geojson')}>
          {t.import.file.mine_geojson}
        </Button>
      </span>
    </p>
  );
}

/** Opens the browser's file dialog. The same file can be chosen twice in a row. */
export function FileButton({ label, primary, onFile }: { label: string; primary?: boolean; onFile(file: File): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,.tsv,.geojson,.json,.geojsonl,.geojsons,.geojsonseq,.ndjson,text/csv,text/plain,text/tab-separated-values,application/geo+json"
        hidden
        aria-label={label}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (chosen) onFile(chosen);
        }}
      />
      <Button {...(primary && { look: 'primary' })} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
