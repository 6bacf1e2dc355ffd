import { useState, type FormEvent } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { TextField, useErrorFocus } from '../../../ui/fields/field.tsx';
import { readCodes } from './invite-codes.ts';

/** Fields for a user name and a resource id, which are appended to the list as a line. */
export function TypedCode({ onAdd }: { onAdd(line: string): void }) {
  const [user, setUser] = useState('');
  const [id, setId] = useState('');
  const [errors, setErrors] = useState<{ user?: string; id?: string }>({});
  const form = useErrorFocus(errors);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const line = `${user.trim()}/${id.trim()}`;
    const [read] = readCodes(line).lines;
    if (read && 'error' in read) {
      const sentence = t.invite.code_errors[read.error];
      return setErrors(read.error === 'id_malformed' ? { id: sentence } : { user: sentence });
    }
    onAdd(line);
    setErrors({});
    setUser('');
    setId('');
    form.current?.querySelector('input')?.focus();
  };
  return (
    <form ref={form} className="typed-code" noValidate onSubmit={submit}>
      <TextField
        label={t.invite.typed_user}
        error={errors.user}
        autoCapitalize="off"
        spellCheck={false}
        value={user}
        onChange={(event) => setUser(event.currentTarget.value)}
      />
      <TextField
        label={t.invite.typed_id}
        error={errors.id}
        autoCapitalize="off"
        spellCheck={false}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <Button type="submit" icon="plus">
        {t.invite.typed_add}
      </Button>
    </form>
  );
}
