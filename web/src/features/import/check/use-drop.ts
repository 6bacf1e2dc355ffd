import { useState, type DragEvent } from 'react';

/** Event handlers for the page: accept a file that is dropped anywhere, and prevent the browser from opening it. */
export function useDrop(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  return {
    over,
    drop: {
      onDragOver(event: DragEvent) {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      },
    },
  };
}
