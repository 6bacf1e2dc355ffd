import { useState, type ComponentProps } from 'react';
import { t } from '../../text/text.ts';
import { TextField } from './field.tsx';
import { Icon } from '../symbols/icon.tsx';
import './password-field.css';

/** A password, with an eye that shows it. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'end'>) {
  const [shown, setShown] = useState(false);
  const label = shown ? t.account.hide_password : t.account.show_password;
  return (
    <TextField
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className="center field-button password-eye"
          title={label}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eye-off' : 'eye'} />
        </button>
      }
    />
  );
}
