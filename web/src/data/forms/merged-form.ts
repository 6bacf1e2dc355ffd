/** The state of a form whose record others may change while the user edits it. `Read` is a response with the record. */
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ConflictFound, SaveResult } from './merge-fields.ts';
import { isUnreachable } from '../problem.ts';
import { useResend } from './use-resend.ts';

export interface MergedForm<Read, Values, Draft = Values> {
  /** The latest version that the form has seen. */
  seen: Read;
  /** The values that the form was filled with. */
  base: Values;
  etag: string | null;
  /** The current inputs. */
  draft: Draft;
  /** Fields that both sides have changed. */
  contested: readonly (keyof Values)[];
}

/** Values to save, and those that they change. */
export interface ValuesChange<Values> {
  base: Values;
  mine: Values;
  etag: string | null;
}

interface MergedFormOptions<Read, Values, Draft, Errors extends object> {
  read: Read;
  save: UseMutationResult<SaveResult<Values, Read>, Error, ValuesChange<Values>>;
  formOf(read: Read): MergedForm<Read, Values, Draft>;
  /** Updates the form to a newer version. Edited inputs stay. */
  follow(form: MergedForm<Read, Values, Draft>, read: Read): MergedForm<Read, Values, Draft>;
  changesOf(form: { base: Values; draft: Draft }): (keyof Values)[];
  /** The values of the inputs. */
  valuesOf(form: { base: Values; draft: Draft }): Values;
  check(draft: Draft): Errors;
  /** The inputs that the server has rejected. */
  errorsOf(error: Error): Errors;
  /** The form after a save that found a conflict. */
  onConflict?(
    form: MergedForm<Read, Values, Draft>,
    conflict: ConflictFound<Values, Read>,
  ): MergedForm<Read, Values, Draft>;
}

/**
 * A save that did not reach the server is sent again as soon as that can be reached, as it was, unless the user has taken some of it
 * back.
 */
export function useMergedForm<Read, Values extends object, Draft, Errors extends object>(
  options: MergedFormOptions<Read, Values, Draft, Errors>,
) {
  const { read, save, formOf, follow, changesOf } = options;
  const [form, setForm] = useState(() => formOf(read));
  const [errors, setErrors] = useState({} as Errors);
  const [found, setFound] = useState<ConflictFound<Values, Read> | null>(null);
  if (form.seen !== read && !save.isPending) setForm(follow(form, read));
  const changed = changesOf(form);
  /** Whether an input that was sent has its former value again. */
  const isTakenBack = ({ base, mine }: ValuesChange<Values>, draft: Draft) => {
    const sinceBase = changesOf({ base, draft });
    return changesOf({ base: mine, draft }).some((field) => !sinceBase.includes(field));
  };

  /** Returns whether nothing of it is left in the form: it is saved, or waits. */
  const send = async (change: ValuesChange<Values>) => {
    try {
      const result = await save.mutateAsync(change);
      setErrors({} as Errors);
      setFound(result.kind === 'conflict' ? result : null);
      setForm((now) => {
        if (result.kind === 'conflict') return options.onConflict?.(now, result) ?? now;
        // Input during the save is not saved yet.
        return follow({ ...now, base: change.mine, contested: [] }, result.read);
      });
      return result.kind !== 'conflict';
    } catch (error) {
      setFound(null);
      setErrors(options.errorsOf(error as Error));
      return false;
    }
  };
  /** Marks the invalid inputs, without saving. */
  const check = () => {
    const invalid = options.check(form.draft);
    setErrors(invalid);
    return invalid;
  };
  const saveDraft = (): { errors: Errors; isDone: Promise<boolean> } => {
    const invalid = check();
    const isValid = Object.keys(invalid).length === 0;
    const isDone =
      isValid && changed.length > 0
        ? send({ base: form.base, mine: options.valuesOf(form), etag: form.etag })
        : Promise.resolve(isValid);
    return { errors: invalid, isDone };
  };
  const result = changed.length === 0 ? save.data?.kind : undefined;
  const sent = save.variables;
  const isUnsent =
    sent !== undefined && isUnreachable(save.error) && changed.length > 0 && !isTakenBack(sent, form.draft);
  // Without what was typed since: nobody has asked to save it.
  useResend(isUnsent ? save.submittedAt : null, () => void send(sent!));

  return {
    /** The inputs, and what is wrong with them. */
    inputs: {
      form,
      setForm,
      changed,
      errors,
      setErrors,
      undo() {
        save.reset();
        setErrors({} as Errors);
        setForm(formOf(read));
      },
    },
    saving: {
      check,
      /** Without errors, the changes are sent. */
      save: saveDraft,
      isSaving: save.isPending,
      /** What has become of the last save, until the next input. */
      outcome: result === 'conflict' ? undefined : result,
      /** The last save did not reach the server. It is sent again automatically. */
      isUnsent,
    },
    /** What both sides have changed, which a save has found, and sending what the user has chosen. */
    conflict: { found, setFound, send },
  };
}
