import { useState, type ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { downloadFile } from '../../ui/save-file.ts';
import { SearchField } from '../../ui/search-field.tsx';
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
  const [hasTimes, setHasTimes] = useState(after !== '' || before !== '');
  const isSwapped = after !== '' && before !== '' && before <= after;
  const timeOf = (name: 'after' | 'before', label: string, error?: string) => (
    <TextField
      label={label}
      error={error}
      type="datetime-local"
      step={1}
      // Typed by the parts of a time: until all are there, it is none.
      defaultValue={localInput(search[name])}
      onChange={({ currentTarget }) => onSearch({ [name]: timeOfInput(currentTarget.value) })}
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
            setHasTimes(!hasTimes);
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
            onSelect: () => downloadFile({ name: `messages.${format}`, path: exportPath(swarm_id, search, format) }),
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
                setHasTimes(false);
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
