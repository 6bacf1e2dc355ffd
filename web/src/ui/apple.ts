/** Where Cmd does what Ctrl does elsewhere, and Ctrl belongs to the text field. */
export const isApple = /^(Mac|iP)/.test(navigator.platform);

/** How `mod k` is written there. */
export const jumpKeys = isApple ? '⌘ K' : 'Ctrl K';
