import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useBackCloses } from '../dialogs/back-closes.ts';
import './combobox.css';
import { Field } from './field.tsx';
import { FieldBox } from './field-box.tsx';
import { Icon, type IconName } from '../symbols/icon.tsx';
import { inOrder } from '../../text/isolate.ts';
import { isComposing } from '../keys/keys.ts';
import { LoadFailedNote, type FailedQuery } from '../pages/load-failed.tsx';
import { showBeside } from '../dialogs/popover.tsx';
import { useChoice } from './use-choice.ts';
import { Bdi } from '../texts/rich.tsx';

/** In ms after the last key: as in a search field. */
const pause = 200;
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

export interface ComboboxOption {
  id: string;
  /** In the field once it is chosen. */
  text: string;
  icon?: IconName | undefined;
  /** At the end of the line, such as a count. */
  end?: ReactNode;
  /** It does something instead of being chosen, such as creating one. Enter runs it only after a step to it. */
  isAction?: boolean;
}

interface ComboboxProps {
  label: string;
  /** The label is hidden from sight. */
  quiet?: boolean | undefined;
  hint?: ReactNode;
  error?: string | undefined;
  placeholder: string;
  /** The chosen one, which the options may not have. */
  value: Pick<ComboboxOption, 'id' | 'text'> | undefined;
  /** Those that match `q`. Undefined until they are known. */
  options: readonly ComboboxOption[] | undefined;
  /** The text of the search that was last told to `onSearch`. */
  q: string;
  /** The options are those of `q`. */
  isSettled: boolean;
  /** Below the options: how many there are, or that they are searched. */
  note?: ReactNode;
  /** The search that could not be done. */
  failed?: FailedQuery | undefined;
  /** The options are always shown, for a part of the page that is only about them. */
  isInline?: boolean;
  onSearch(q: string): void;
  /** `typed`: the text of the field at that time. */
  onChoose(id: string, typed: string): void;
}

/**
 * A text field that searches among many options and chooses one of them (the pattern "combobox" of ARIA). The field keeps the
 * focus. While the options are hidden, it shows the chosen one.
 */
export function Combobox(props: ComboboxProps) {
  const { label, quiet, hint, error, placeholder, value, isInline = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { typed, isOpen, active, type, toggle, close, choose, onKeyDown } = useChoosing(props, field);
  const isShown = isOpen || isInline;
  const chosen = inOrder(value?.text ?? '');
  const list = <OptionList {...props} id={`${id}-list`} active={active} field={field} onChoose={choose} />;
  return (
    <Field label={label} quiet={quiet} hint={hint} error={error}>
      {(control) => (
        <div
          ref={box}
          className="combobox"
          onBlur={({ currentTarget, relatedTarget }) => {
            if (!isInline && !currentTarget.contains(relatedTarget)) close();
          }}
        >
          <FieldBox
            {...control}
            ref={field}
            role="combobox"
            aria-expanded={isShown}
            aria-autocomplete="list"
            aria-controls={isShown ? `${id}-list` : undefined}
            aria-activedescendant={isShown && active >= 0 ? `${id}-list-${active}` : undefined}
            placeholder={isOpen && !isInline && value ? chosen : placeholder}
            spellCheck={false}
            autoCapitalize="none"
            dir="auto"
            value={typed ?? (isInline ? '' : chosen)}
            start={isInline && <Icon name="search" size={16} />}
            end={!isInline && <Arrow onClick={toggle} />}
            onClick={(typed ?? '') === '' && !isInline ? toggle : undefined}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          {isInline && list}
          {isOpen && !isInline && (
            <Beside id={id} anchor={box} onClose={close}>
              {list}
            </Beside>
          )}
        </div>
      )}
    </Field>
  );
}

/** What is typed, the option that Enter chooses (`active`, -1: none), and what the keys and the pointer do. */
function useChoosing(props: ComboboxProps, field: RefObject<HTMLInputElement | null>) {
  const { value, options = [], isInline = false } = props;
  const { typed, isOpen, isSettled, open, type, endTyping } = useTyped(props);
  const word = typed ?? '';
  const choose = (index: number) => {
    const option = options[index];
    choice.forget();
    // Where nothing matches, the text stays.
    if (option || word === '') endTyping();
    if (option) props.onChoose(option.id, word);
  };
  const ids = options.map((option) => option.id);
  const first = firstIndex({ options, value, word });
  const choice = useChoice({ word, ids, first, settled: isSettled, onChoose: choose });
  const close = () => {
    endTyping();
    choice.forget();
  };
  const toggle = () => {
    field.current?.focus();
    if (isOpen) close();
    else open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const isShown = isOpen || isInline;
    if (isComposing(event.nativeEvent)) return;
    if (step !== undefined) {
      if (isShown) choice.step(step);
      else open();
    } else if (event.key === 'Enter' && isShown) choice.enter(false);
    else if (event.key === 'Escape' && isOpen && !isInline) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const active = ids.length > 0 ? choice.index : -1;
  return { typed, isOpen, active, type, toggle, close, choose, onKeyDown };
}

/** The option that Enter chooses before a step: the chosen one until something is typed. -1: none. */
function firstIndex({ options, value, word }: Required<Pick<ComboboxProps, 'options' | 'value'>> & { word: string }) {
  if (word === '' && value) return (options ?? []).findIndex(({ id }) => id === value.id);
  return (options ?? []).findIndex(({ isAction = false }) => !isAction);
}

/** For a pointer: the arrow keys do the same in the field, which keeps the focus. */
function Arrow({ onClick }: { onClick(): void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      className="center hoverable field-button combobox-arrow"
      onPointerDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <Icon name="down" />
    </button>
  );
}

/** What is typed, which is searched after a pause. Null while nothing is: the field then shows the chosen option. */
function useTyped({ options, q, isSettled, onSearch }: ComboboxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? '';
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    if (text === q) return undefined;
    const timer = setTimeout(() => search(text), text === '' ? 0 : pause);
    return () => clearTimeout(timer);
  }, [text, q]);
  return {
    typed,
    isOpen: typed !== null,
    isSettled: text === q && isSettled && options !== undefined,
    open: () => setTyped((now) => now ?? ''),
    type: setTyped,
    endTyping: () => setTyped(null),
  };
}

interface BesideProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  children: ReactNode;
}

/** Over the page, below the field. Unlike a menu, it does not take the focus. */
function Beside({ id, anchor, onClose, children }: BesideProps) {
  const popover = useRef<HTMLDivElement>(null);
  useBackCloses(true, onClose);
  useLayoutEffect(
    () => (popover.current && anchor.current ? showBeside(popover.current, anchor.current) : undefined),
    [anchor],
  );
  return (
    <div ref={popover} id={`${id}-popover`} popover="manual" className="popover combobox-popover">
      {children}
    </div>
  );
}

interface OptionListProps extends Pick<ComboboxProps, 'label' | 'value' | 'options' | 'note' | 'failed'> {
  id: string;
  /** The index of the one that Enter chooses. */
  active: number;
  field: RefObject<HTMLInputElement | null>;
  onChoose(index: number): void;
}

/** The options, and below them how many there are, or why they could not be read. */
function OptionList({ id, label, value, options, note, failed, active, field, onChoose }: OptionListProps) {
  const retry = () => {
    // The button goes when it has worked.
    field.current?.focus();
    return failed?.refetch();
  };
  return (
    <>
      <div
        role="listbox"
        id={id}
        tabIndex={-1}
        aria-label={label}
        className="combobox-list"
        // The field keeps the focus.
        onPointerDown={(event) => event.preventDefault()}
      >
        {options?.map((option, index) => (
          <OptionLine
            key={option.id}
            option={option}
            id={`${id}-${index}`}
            isActive={index === active}
            isChosen={option.id === value?.id}
            onChoose={() => onChoose(index)}
          />
        ))}
      </div>
      {failed && <LoadFailedNote className="combobox-note" query={{ ...failed, refetch: retry }} />}
      <output className="quiet numbers combobox-note">{!failed && note}</output>
    </>
  );
}

interface OptionLineProps {
  option: ComboboxOption;
  id: string;
  isActive: boolean;
  isChosen: boolean;
  onChoose(): void;
}

function OptionLine({ option: { text, icon, end }, id, isActive, isChosen, onChoose }: OptionLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div
      ref={line}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={`line hoverable combobox-option${isActive ? ' combobox-active' : ''}`}
      onClick={onChoose}
      // The field has the focus, and so the keys of its options. The rule for clicks asks for a handler.
      onKeyDown={undefined}
    >
      {icon && <Icon name={icon} />}
      <span className="grow one-line">
        <Bdi>{text}</Bdi>
      </span>
      {end !== undefined && <span className="muted numbers">{end}</span>}
      {isChosen && <Icon name="check" size={16} />}
    </div>
  );
}
