/** A window that the panel covers whole, a phone's above all; the style sheets say the same. */
export const smallWindow = '(max-width: 479.98px), (max-height: 479.98px) and (pointer: coarse)';
