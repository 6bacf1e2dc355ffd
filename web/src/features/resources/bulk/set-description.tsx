import { limits } from '@swarmdeck/bff/field-rules';
import { useState } from 'react';
import { textError } from '../../../api/text-errors.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { TextArea } from '../../../ui/field.tsx';
import { createDeviceAction } from './device-action.tsx';

export const setDescription = createDeviceAction<{ description: string }, 'update'>({
  name: 'set_description',
  kind: 'update',
  icon: 'edit',
  initial: { description: '' },
  concerns: (device, about) => (device.description ?? '') !== about.description,
  Fields({ items, onChange }) {
    const [description, setDescription] = useState('');
    const error = textError(description, limits.descriptionLength);
    const others = items.filter((device) => device.description && device.description !== description).length;
    return (
      <TextArea
        label={t.bulk.description}
        rows={3}
        error={error}
        hint={
          others > 0
            ? t.bulk.described(others)
            : !error && t.text_errors.too_long(formatNumber(limits.descriptionLength))
        }
        value={description}
        onChange={({ currentTarget: { value } }) => {
          setDescription(value);
          onChange(textError(value, limits.descriptionLength) === undefined ? { description: value } : undefined);
        }}
      />
    );
  },
  aboutOf: ({ description }) => ({ description: description || null }),
});
