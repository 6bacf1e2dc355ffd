import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../text/text.ts';
import { IconButton } from '../../ui/buttons/button.tsx';
import { typeInto, useModal } from '../../ui/dialogs/dialog.tsx';
import { KeyHint, useKeyboard, useKeysEnabled } from '../../ui/keys/keys-provider.tsx';
import { isComposing, keyOf } from '../../ui/keys/keys.ts';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { phone as phoneQuery, touch as touchQuery, useMedia } from '../../ui/browser/media.ts';
import { OptionRow } from './option-row.tsx';
import '../../ui/dialogs/dialog.css';
import './palette.css';
import { useChoice } from '../../ui/fields/use-choice.ts';
import { useFound } from './use-found.ts';
import { useOptions } from './use-options.ts';
import { Icon } from '../../ui/symbols/icon.tsx';
import { Skeleton } from '../../ui/pages/skeleton.tsx';

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 };

/** The command palette. The focus stays in the field; screen readers announce the highlighted option. */
export function Palette({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const touch = useMedia(touchQuery);
  const phone = useMedia(phoneQuery);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const keyboard = useKeyboard();
  const [typed, setTyped] = useState('');
  const word = typed.trim();
  const found = useFound(word);
  const groups = useOptions({ word, found, touch, onGo: (to) => void navigate(to) });
  const options = groups.flatMap((group) => group.options);

  const modal = useModal({
    dialog,
    onClose,
    onOpen() {
      field.current?.focus();
      typeInto(field.current, keyboard.takeTyped());
    },
  });
  const choose = (index: number, newTab: boolean) => {
    const option = options[index];
    if (!option) return;
    if (newTab && option.to) {
      open(option.to);
      return;
    }
    onClose();
    // After the dialog has restored the focus, because the option may move it.
    setTimeout(option.run);
  };
  const choice = useChoice({ word, ids: options.map((option) => option.id), settled: found.settled, onChoose: choose });

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const step = steps[event.key];
    const again = (event.ctrlKey || event.metaKey) && keyOf(event.nativeEvent) === 'k';
    if (step !== undefined) choice.step(step);
    else if (event.key === 'Enter' && event.target === field.current) choice.enter(event.ctrlKey || event.metaKey);
    else if (again) onClose();
    else {
      modal.onKeyDown(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const status = found.settled ? t.palette.counted(options.length) : t.palette.searching;
  const none = word !== '' && found.settled && !found.error && found.devices?.total === 0 && found.swarms?.total === 0;
  return (
    <dialog ref={dialog} className="modal palette" aria-label={t.palette.title} {...modal} onKeyDown={onKeyDown}>
      <PaletteField
        ref={field}
        typed={typed}
        onType={(text) => {
          setTyped(text);
          list.current?.scrollTo({ top: 0 });
        }}
        list={`${id}-list`}
        active={options.length > 0 ? `${id}-${choice.index}` : undefined}
        onClose={onClose}
      />
      {found.error && <LoadFailedNote className="palette-note" title={t.palette.not_searched} query={found} />}
      {none && <p className="palette-none">{t.palette.no_device_or_swarm}</p>}
      {word !== '' && !found.devices && !found.error && <WaitingOptions />}
      <PaletteResults
        ref={list}
        id={id}
        groups={groups}
        active={choice.index}
        onPoint={choice.point}
        onChoose={choose}
      />
      {!phone && <PaletteFoot status={status} />}
      <output className="visually-hidden">{status}</output>
    </dialog>
  );
}

interface PaletteFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  typed: string;
  onType(text: string): void;
  list: string;
  active: string | undefined;
  onClose(): void;
}

/** The text field. It keeps the focus; `aria-activedescendant` names the `active` option of `list`. */
function PaletteField({ ref, typed, onType, list, active, onClose }: PaletteFieldProps) {
  const phone = useMedia(phoneQuery);
  const hints = useKeysEnabled();
  const clear = () => {
    onType('');
    ref.current?.focus();
  };
  return (
    <div className="line gap-3 palette-head">
      {phone && <IconButton icon="back" look="quiet" label={t.shell.kit.close} onClick={onClose} />}
      <div className="line gap-3 fill palette-field">
        <Icon name="search" size={20} />
        <input
          ref={ref}
          role="combobox"
          aria-label={t.palette.title}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={list}
          aria-activedescendant={active}
          placeholder={t.palette.hint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      </div>
      {phone && typed !== '' && <IconButton icon="close" look="quiet" label={t.palette.clear} onClick={clear} />}
      {!phone && hints && <KeyHint keys="Esc" />}
    </div>
  );
}

interface PaletteResultsProps {
  ref: RefObject<HTMLDivElement | null>;
  /** The prefix of the ids. */
  id: string;
  groups: ReturnType<typeof useOptions>;
  /** The index of the highlighted option. */
  active: number;
  onPoint(index: number): void;
  onChoose(index: number, newTab: boolean): void;
}

/** The list of the options by their groups. */
function PaletteResults({ ref, id, groups, active, onPoint, onChoose }: PaletteResultsProps) {
  const hints = useKeysEnabled();
  const options = groups.flatMap((group) => group.options);
  return (
    <div ref={ref} className="palette-list" id={`${id}-list`} role="listbox" aria-label={t.palette.results}>
      {groups.map((group) => (
        <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
          <div className="section-name palette-group" id={`${id}-${group.id}`}>
            {t.palette.groups[group.heading]} {group.note && <span className="numbers">{group.note}</span>}
          </div>
          {group.options.map((option) => {
            const index = options.indexOf(option);
            return (
              <OptionRow
                key={option.id}
                option={option}
                id={`${id}-${index}`}
                active={index === active}
                hints={hints}
                onPoint={() => index !== active && onPoint(index)}
                onChoose={(newTab) => onChoose(index, newTab)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The keys, and the number of results. */
function PaletteFoot({ status }: { status: string }) {
  const { choose, open, close } = t.palette.foot;
  return (
    <div className="line spread quiet palette-foot">
      <span aria-hidden="true">
        <KeyHint keys="↑" /> <KeyHint keys="↓" /> {choose} <KeyHint keys="↵" /> {open} <KeyHint keys="Esc" /> {close}
      </span>
      <span className="numbers">{status}</span>
    </div>
  );
}

/** Skeletons while the search runs. */
function WaitingOptions() {
  return (
    <div className="palette-loading" aria-hidden="true">
      <div className="section-name palette-group">{t.palette.groups.devices}</div>
      {[44, 58, 36].map((width) => (
        <div key={width} className="line gap-3 palette-option">
          <Skeleton width="24px" height="24px" />
          <Skeleton width={`${width}%`} height="11px" />
        </div>
      ))}
    </div>
  );
}
