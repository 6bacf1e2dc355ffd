import type { NamedItem, Position } from '@swarmdeck/bff/contract';
import { shareProps } from '../../../ui/share-hook.tsx';

interface AddingDevice {
  /** Set if it is the phone that shows the page, with its position if it says so. */
  phone?: { at?: Position } | undefined;
  onClose(): void;
  onAdded(device: NamedItem): void;
}

/** What a page tells the dialog that adds a device. The route passes this dialog as an element, which reads it. */
export const [AddingDeviceProvider, useAddingDevice] = shareProps<AddingDevice>('useAddingDevice');
