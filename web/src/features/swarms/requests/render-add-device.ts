import type { ReactNode } from 'react';
import type { NamedItem } from '@swarmdeck/bff/contract';

/** Renders the dialog that adds a device. The route passes it. */
export type RenderAddDevice = (props: { onClose(): void; onAdded(device: NamedItem): void }) => ReactNode;
