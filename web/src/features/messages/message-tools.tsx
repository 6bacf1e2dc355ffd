import { useState } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Menu } from '../../ui/menu.tsx';
import { downloadFile } from '../../ui/save-file.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { exportPath, isSearch, localInput, noSearch, timeOfInput, type MessageSearch } from './message-search.ts';

interface MessageToolsProps {
  swarm_id: string;
  search: MessageSearch;
  /** The devices that have sent what is shown, by name. */
  senders: readonly { id: string; name: string }[];
  onSearch(change: Partial<MessageSearch>): void;
  /** Undefined while the user searches: what was found does not move. */
  pause: { isPaused: boolean; label: string; onToggle(): void } | undefined;
}

/** Above the messages of a swarm: by which device, text and time they are filtered, and what can be done with them. */
export function MessageTools({ swarm_id, search, senders, onSearch, pause }: MessageToolsProps) {
  const { from, q, after, before } = search;
  const [hasTimes, setHasTimes] = useState(after !== '' || before !== '');
  const timeOf = (name: 'after' | 'before', label: string) => (
    <TextField
      label={label}
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
        <Select
          aria-label={t.messages.by_device}
          value={from}
          options={[
            { value: '', label: t.messages.all_devices },
            ...senders.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(id) => onSearch({ from: id })}
        />
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
          {pause && (
            <Button icon={pause.isPaused ? 'forward' : 'pause'} onClick={pause.onToggle}>
              {pause.label}
            </Button>
          )}
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
          {timeOf('before', t.messages.before)}
        </div>
      )}
    </>
  );
}
