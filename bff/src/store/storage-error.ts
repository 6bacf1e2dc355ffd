/** `away`: the database cannot be used right now. `unexpected`: a mistake in a statement, or an unknown error. */
export type StorageFault = 'constraint' | 'full' | 'away' | 'unexpected';

/** Thrown by every read and write. Nothing of the write is on disk. */
export class StorageError extends Error {
  readonly kind: StorageFault;
  constructor(kind: StorageFault, message: string) {
    super(message);
    this.name = 'StorageError';
    this.kind = kind;
  }
}
