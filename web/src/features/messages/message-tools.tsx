import { useEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Menu } from '../../ui/dialogs/menu.tsx';
import { downloadCsv } from '../../shared/download-csv.ts';
import { downloadFile } from '../../ui/browser/save-file.ts';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { exportPath, isSearch, localInput, noSearch, timeOfInput, type MessageSearch } from './message-search.ts';

interface MessageToolsProps {
  swarm_id: string;
  search: MessageSearch;
  /** Chooses the device or the swarm of what is shown. */
  choice: ReactNode;
  onSearch(change: Partial<MessageSearch>): void;
  /** A button that stops messages from moving. */
  pause?: ReactNode;
}

/** Above the messages of a swarm or a device: by which text and time they are filtered, and what can be done with them. */
export function MessageTools({ swarm_id, search, choice, onSearch, pause }: MessageToolsProps) {
  const { q, after, before } = search;
  const [isOpen, setOpen] = useState(false);
  // Back may lead to an address with times.
  const hasTimes = isOpen || after !== '' || before !== '';
  const isSwapped = after !== '' && before !== '' && before <= after;
  const timeOf = (name: 'after' | 'before', label: string, error?: string) => (
    <TimeField
      label={label}
      error={error}
      time={search[name]}
      onChange={(time) => {
        // Without a time, the fields stay: another one may be typed.
        setOpen(true);
        onSearch({ [name]: time });
      }}
    />
  );
  return (
    <>
      <div className="line wraps messages-tools">
        {choice}
        <SearchField
          q={q}
          label={t.messages.search}
          placeholder={t.messages.search_hint}
          onChange={(typed) => onSearch({ q: typed })}
        />
        <Button
          icon="clock"
          aria-expanded={hasTimes}
          onClick={() => {
            setOpen(!hasTimes);
            if (hasTimes) onSearch({ after: '', before: '' });
          }}
        >
          {t.messages.time}
        </Button>
        <Menu
          label={t.messages.export}
          items={(['csv', 'ndjson'] as const).map((format) => ({
            id: format,
            label: t.messages.formats[format],
            onSelect() {
              const file = { name: `messages.${format}`, path: exportPath(swarm_id, search, format) };
              if (format === 'csv') void downloadCsv(file);
              else downloadFile(file);
            },
          }))}
          renderTrigger={(button) => (
            <Button icon="download" {...button}>
              {t.messages.export}
            </Button>
          )}
        />
        <div className="line to-end">
          {pause}
          {isSearch(search) && (
            <Button
              icon="close"
              onClick={() => {
                setOpen(false);
                onSearch(noSearch);
              }}
            >
              {t.messages.end_search}
            </Button>
          )}
        </div>
      </div>
      {hasTimes && (
        <div className="line wraps messages-times">
          {timeOf('after', t.messages.after)}
          {timeOf('before', t.messages.before, isSwapped ? t.messages.too_early : undefined)}
        </div>
      )}
    </>
  );
}

interface TimeFieldProps {
  label: string;
  error: string | undefined;
  /** Empty: none. */
  time: string;
  onChange(time: string): void;
}

function TimeField({ label, error, time, onChange }: TimeFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  // It is typed by its parts: until all are there, it is no time, and the field keeps them. While it is typed, the address follows later.
  useEffect(() => {
    const input = field.current;
    if (input && input !== document.activeElement && timeOfInput(input.value) !== time) input.value = localInput(time);
  }, [time]);
  return (
    <TextField
      ref={field}
      label={label}
      error={error}
      type="datetime-local"
      step={1}
      defaultValue={localInput(time)}
      onChange={({ currentTarget }) => onChange(timeOfInput(currentTarget.value))}
    />
  );
}
