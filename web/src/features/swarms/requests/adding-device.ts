import type { ReactNode } from 'react';
import type { NamedItem } from '@swarmdeck/bff/contract';
import type { LocationError, OwnPosition } from '../../../ui/browser/use-own-location.ts';
import { shareProps } from '../../../shared/share-page.tsx';

export type ThisPhone = { at: OwnPosition } | { failed: LocationError };

interface AddingDevice {
  /** Set if it is the phone that shows the page, with its position, or why that is not known. */
  thisPhone?: ThisPhone | undefined;
  onClose(): void;
  onAdded(device: NamedItem): void;
}

/** The dialog that adds a device, for those who ask to join or follow a link. The route gives it to all parts of its page. */
export const [AddDeviceDialogProvider, useAddDeviceDialog] = shareProps<{ dialog: ReactNode }>('useAddDeviceDialog');

/** What this dialog reads of the part that shows it. */
export const [AddingDeviceProvider, useAddingDevice] = shareProps<AddingDevice>('useAddingDevice');
