import { useState } from 'react';
import { t } from '../../text/text.ts';
import { Button, type ButtonLook } from './button.tsx';

interface CopyButtonProps extends Pick<ButtonLook, 'look' | 'size'> {
  text: string;
  label?: string;
  onCopy?: (() => void) | undefined;
  onError?(): void;
}

/**
 * Copies `text` and shows a confirmation. If the browser forbids it, `onError` can select the text for manual
 * copying.
 */
export function CopyButton({ text, label, look = 'plain', size, onCopy, onError }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onCopy?.();
      setTimeout(() => setCopied(false), 2000);
    } catch {
      onError?.();
    }
  };
  return (
    <Button look={look} size={size} icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
      <span aria-live="polite">{copied ? t.shell.kit.copied : (label ?? t.shell.kit.copy)}</span>
    </Button>
  );
}
