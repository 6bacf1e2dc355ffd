/** What the capabilities declare: the types of their wire format, and their rows (`core/declaration.ts`). A line for each. */
export * from './capabilities/saved-views/contract.ts';
