import { useState } from 'react';
import type { FormEvent } from 'react';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField, useErrorFocus } from '../../../ui/field.tsx';
import { readCodes } from './invite-codes.ts';

/** Fields for a user name and a resource id, which are appended to the list as a line. */
export function TypedCode({ onAdd }: { onAdd(line: string): void }) {
  const [user, setUser] = useState('');
  const [id, setId] = useState('');
  const [faults, setFaults] = useState<{ user?: string; id?: string }>({});
  const form = useErrorFocus(faults);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const line = `${user.trim()}/${id.trim()}`;
    const [read] = readCodes(line).lines;
    if (read && 'fault' in read) {
      const sentence = t.invite.faults[read.fault];
      return setFaults(read.fault === 'id_malformed' ? { id: sentence } : { user: sentence });
    }
    onAdd(line);
    setFaults({});
    setUser('');
    setId('');
    form.current?.querySelector('input')?.focus();
  };
  return (
    <form ref={form} className="typed-code" noValidate onSubmit={submit}>
      <TextField
        label={t.invite.typed_user}
        error={faults.user}
        autoCapitalize="off"
        spellCheck={false}
        value={user}
        onChange={(event) => setUser(event.currentTarget.value)}
      />
      <TextField
        label={t.invite.typed_id}
        error={faults.id}
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
