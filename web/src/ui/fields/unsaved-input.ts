/**
 * Input that would be lost if the page were loaded again. Each field counts by itself, from its first key until it is as
 * before or no longer on the page, so a new form or dialog needs to do nothing. What is no field says it with
 * `useUnsavedInput`.
 */
import { useEffect, useState } from 'react';
import { onNewPage } from '../../data/new-page.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Fields that the user has changed, with their value before. Null: any value counts. */
const edited = new Map<Field, string | null>();
/**
 * What says by itself that it would be lost. A selection is not typed: nobody signs in again for it. What stays in memory
 * when its page is left is set and deleted here, not with `useUnsavedInput`.
 */
export const reported = new Map<symbol, 'typed' | 'chosen'>();

onNewPage(discardUnsavedInput);

const isText = (field: Field) =>
  !(field instanceof HTMLSelectElement) && !/^(checkbox|radio|range|file)$/.test(field.type);

/** Fields that act immediately, such as the filter of a list or a theme, are in no form and no dialog. */
function counts(field: Field): boolean {
  // A form that knows what is stored reports its own changes.
  if (field.closest('[data-reports-changes]')) return false;
  // What is typed there only searches. Where a choice is unsaved, its form reports it.
  if (field.role === 'combobox') return false;
  return (isText(field) && field.type !== 'search') || field.closest('form, dialog') !== null;
}

function fieldOf({ target }: Event): Field | null {
  const isField =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  return isField && counts(target) ? target : null;
}

/** Notes which fields the user changes. */
export function followInput(root: Document): void {
  const note = (event: Event, before: (field: Field) => string | null) => {
    const field = fieldOf(event);
    if (!field || edited.has(field)) return;
    // Those that are no longer on the page.
    for (const each of edited.keys()) if (!each.isConnected) edited.delete(each);
    edited.set(field, before(field));
  };
  // Only fields of text have it.
  root.addEventListener('beforeinput', (event) => note(event, ({ value }) => value), true);
  root.addEventListener('input', (event) => note(event, (field) => (isText(field) ? '' : null)), true);
}

/** Whether a field has input that is not saved. Those of forms that report their changes do not count. */
export const hasEditedField = () => [...edited].some(([field, before]) => field.isConnected && field.value !== before);

/** Whether the page has input that was typed or chosen in a form, and is not saved. */
export const hasUnsavedInput = () => [...reported.values()].includes('typed') || hasEditedField();

/** Whether closing a dialog would lose text: not that of a search or a password, nor what is stored or confirms only (`data-stored`). */
export const hasTypedText = (dialog: HTMLElement) =>
  [...edited].some(
    ([field, before]) =>
      dialog.contains(field) &&
      isText(field) &&
      !/^(search|password)$/.test(field.type) &&
      field.value !== before &&
      !field.closest('[data-stored]'),
  );

/** Whether loading the page again would lose something. */
export const wouldLoseInput = () => reported.size > 0 || hasUnsavedInput();

/** Forgets the input, for example because another user has signed in. */
export function discardUnsavedInput(): void {
  edited.clear();
  reported.clear();
}

/**
 * Whether a part of the page stays for its input after its object is gone: it had some at that moment. One that is gone from the
 * beginning has none.
 */
export function useStaysForInput(isGone: boolean, hasInput: () => boolean = hasUnsavedInput): boolean {
  const [known, setKnown] = useState({ isGone, hadInput: false });
  if (known.isGone !== isGone) setKnown({ isGone, hadInput: hasInput() });
  return isGone && known.hadInput;
}

/** Reports input that no field shows, such as a chosen file, and forms that know themselves what is not saved. */
export function useUnsavedInput(isUnsaved: boolean, kind: 'typed' | 'chosen' = 'typed'): void {
  const [id] = useState(() => Symbol());
  useEffect(() => {
    if (!isUnsaved) return undefined;
    reported.set(id, kind);
    return () => void reported.delete(id);
  }, [isUnsaved, kind, id]);
}
